import { removeSession } from '#lib/auth/sessions.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const DELETE = writes(removeSession, {
  summary: 'End one of your sessions',
  who: { anyOf: 'user', ownAccount: 'always' },
  target: { ids: { session: 'SESSION-0' } },
  event: { entity: 'user', action: 'end-session' },
})
