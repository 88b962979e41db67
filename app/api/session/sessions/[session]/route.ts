import { removeSession, sessionTarget } from '#lib/caller/auth/sessions.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const DELETE = writes(removeSession, {
  summary: 'End one of your sessions',
  who: { anyOf: 'user', ownAccount: 'always' },
  target: sessionTarget,
  event: { entity: 'user', action: 'end-session', cannotUndo: 'sessions' },
})
