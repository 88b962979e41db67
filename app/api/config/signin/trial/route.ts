import { trialQuery } from '#lib/people/federation/mechanisms.schema'
import { readTrial } from '#lib/people/federation/trials.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readTrial, {
  summary: 'Read the result of a sign-in test, for ten minutes, in the console session that began it',
  who: { anyOf: ['SYSCONFIG_VIEW'], ownAccount: 'always' },
  query: trialQuery,
  answers: { as: 'signintrial' },
  refuses: ['TRIAL-0'],
})
