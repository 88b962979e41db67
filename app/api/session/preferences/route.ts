import { shows, writes } from '#lib/pipeline/endpoint.server'
import { preferencesInput } from '#lib/preferences/preferences.schema'
import { preferencesTarget, updatePreferences } from '#lib/preferences/preferences.server'

export const GET = shows({
  summary: 'Read your preferences for the console',
  anyOf: 'user',
  despiteDuty: 'inConsole',
  target: preferencesTarget,
  answers: 'preferences',
})

export const PUT = writes(
  {
    summary: 'Set the named preferences; an empty value removes one, the others stay',
    anyOf: 'user',
    despiteDuty: 'inConsole',
    target: preferencesTarget,
    takes: 'preferences',
    body: preferencesInput,
    answers: 'preferences',
    ownAccount: 'always',
    event: null,
  },
  updatePreferences,
)
