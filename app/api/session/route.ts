import { signOut } from '#lib/caller/auth/console-cookie.server'
import { signInInput } from '#lib/caller/auth/session.schema'
import { currentSession, signIn } from '#lib/request/entrance/console-session.server'
import { writes } from '#lib/request/pipeline/endpoint.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(currentSession, {
  summary: 'Who is signed in to the console; 204 for nobody',
  answers: { as: 'session' },
  // Of credentials that cannot be read, or that were tried too often.
  refuses: ['OAUTH-0', '429-TOO-MANY-REQUESTS', 'SEE-AS-2'],
})

export const POST = open(signIn, {
  summary: 'Sign in to the console',
  takes: { as: 'session', body: signInInput },
  answers: { as: 'session', status: 200 },
  refuses: ['SIGN-IN-0', 'SIGN-IN-1', 'SIGN-IN-2', 'SIGN-IN-7', 'SIGN-IN-9', 'PASSKEY-4'],
})

export const DELETE = writes(signOut, {
  summary: 'Sign out of the console',
  who: { anyOf: 'user', despiteDuty: 'inSession', ownAccount: 'never', asSignedIn: true },
  answers: { endsSession: true },
  event: { entity: 'user', action: 'sign-out', cannotUndo: 'sessions' },
})
