import { trialQuery } from '#lib/federation/mechanisms.schema'
import { readTrial } from '#lib/federation/trials.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary:
      'What a sign-in at an identity provider that was tried out would have come to, for the console session that began it, for ten minutes',
    anyOf: ['SYSCONFIG_VIEW'],
    query: trialQuery,
    refuses: ['TRIAL-0'],
    answers: 'signintrial',
  },
  readTrial,
)
