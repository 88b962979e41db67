import { reads, writes } from '#lib/pipeline/endpoint.server'
import { preferencesInput } from '#lib/preferences/preferences.schema'
import { readPreferences, updatePreferences } from '#lib/preferences/preferences.server'

export const GET = reads(
  {
    summary: 'Read what one has chosen for the console',
    anyOf: 'user',
    despiteDuty: 'inConsole',
    answers: 'preferences',
  },
  readPreferences,
)

export const PUT = writes(
  {
    summary: 'Set the choices that are named; an empty value removes one, the others stay',
    anyOf: 'user',
    despiteDuty: 'inConsole',
    exists: readPreferences,
    takes: 'preferences',
    body: preferencesInput,
    answers: 'preferences',
    ownAccount: 'always',
    event: null,
  },
  updatePreferences,
)
