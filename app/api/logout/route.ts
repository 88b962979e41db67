import { signOut } from '#lib/caller/auth/console-cookie.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(signOut, {
  summary: 'End the session',
  who: { anyOf: 'user', despiteDuty: 'inSession', ownAccount: 'never' },
  answers: { endsSession: true },
  event: { entity: 'user', action: 'sign-out', cannotUndo: 'sessions' },
})
