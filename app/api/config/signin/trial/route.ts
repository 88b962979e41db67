import { trialQuery } from '#lib/federation/mechanisms.schema'
import { readTrial } from '#lib/federation/trials.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readTrial, {
  summary:
    'What a sign-in at an identity provider that was tried out would have come to, for the console session that began it, for ten minutes',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  query: trialQuery,
  answers: { as: 'signintrial' },
  refuses: ['TRIAL-0'],
})
