import { z } from 'zod'
import { consentInput } from '#lib/applications/applications.schema'
import { answerConsent, readConsent } from '#lib/applications/consent.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read what an OAuth application requests, by its request token',
    anyOf: 'user',
    query: z.object({ oauth_token: z.string().min(1, 'oauth_token is missing').max(128) }),
    answers: 'consent',
    refuses: ['OAUTH-1'],
  },
  readConsent,
)

export const POST = writes(
  {
    summary: 'Approve or deny the request in the console; the answer says where the browser goes next',
    anyOf: 'user',
    takes: 'consentanswer',
    body: consentInput,
    answers: 'consentdestination',
    status: 200,
    refuses: ['OAUTH-1'],
    ownAccount: 'always',
    event: null,
  },
  answerConsent,
)
