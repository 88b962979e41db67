import { preferencesInput } from '#lib/caller/preferences/preferences.schema'
import { preferencesTarget, updatePreferences } from '#lib/caller/preferences/preferences.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read your preferences for the console',
  who: { anyOf: 'user', despiteDuty: 'inConsole', ownAccount: 'always' },
  target: preferencesTarget,
  answers: { as: 'preferences' },
})

export const PUT = writes(updatePreferences, {
  summary: 'Set the named preferences; an empty value removes one, the others stay',
  who: { anyOf: 'user', despiteDuty: 'inConsole', ownAccount: 'always' },
  target: preferencesTarget,
  takes: { as: 'preferences', body: preferencesInput },
  answers: { as: 'preferences' },
  event: null,
})
