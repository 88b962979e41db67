import { z } from 'zod'
import { consentInput } from '#lib/people/applications/applications.schema'
import { answerConsent, readConsent } from '#lib/people/applications/consent.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readConsent, {
  summary: 'Read what an OAuth application requests, by its request token',
  who: { anyOf: 'user', ownAccount: 'always' },
  query: z.object({ oauth_token: z.string().min(1, 'oauth_token is missing').max(128) }),
  answers: { as: 'consent' },
  refuses: ['OAUTH-1'],
})

export const POST = writes(answerConsent, {
  summary: 'Approve or deny the request in the console; the response names the next address of the browser',
  who: { anyOf: 'user', ownAccount: 'always' },
  takes: { as: 'consentanswer', body: consentInput },
  answers: { as: 'consentdestination', status: 200 },
  event: null,
  refuses: ['OAUTH-1'],
})
