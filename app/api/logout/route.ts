import { signOut } from '#lib/auth/console-cookie.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'End the session',
    anyOf: 'user',
    despiteDuty: 'inSession',
    endsSession: true,
    ownAccount: 'never',
    event: { entity: 'user', action: 'sign-out' },
  },
  signOut,
)
