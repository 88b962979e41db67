import { removeSession } from '#lib/auth/sessions.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const DELETE = writes(
  {
    summary: 'End one of the own sessions',
    anyOf: 'user',
    target: { ids: { session: 'SESSION-0' } },
    ownAccount: 'always',
    event: { entity: 'user', action: 'end-session' },
  },
  removeSession,
)
