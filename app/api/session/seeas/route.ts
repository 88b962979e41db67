import { endView } from '#lib/caller/auth/sessions.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const DELETE = writes(endView, {
  summary: 'See the console as yourself again',
  who: { anyOf: 'user', inConsole: true, ownAccount: 'always', asSignedIn: true },
  event: null,
})
