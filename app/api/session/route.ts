import { signOut } from '#lib/auth/console-cookie.server'
import { signInInput } from '#lib/auth/session.schema'
import { currentSession, signIn } from '#lib/entrance/console-session.server'
import { writes } from '#lib/pipeline/endpoint.server'
import { open } from '#lib/pipeline/open.server'

export const GET = open(
  {
    summary: 'Who is signed in to the console; 204 for nobody',
    // Of credentials that cannot be read, or that were tried too often.
    refuses: ['OAUTH-0', '429-TOO-MANY-REQUESTS'],
    answers: 'session',
  },
  currentSession,
)

export const POST = open(
  {
    summary: 'Sign in to the console',
    takes: 'session',
    body: signInInput,
    refuses: ['SIGN-IN-0', 'SIGN-IN-1', 'SIGN-IN-2', 'SIGN-IN-7'],
    answers: 'session',
    status: 200,
  },
  signIn,
)

export const DELETE = writes(
  {
    summary: 'Sign out of the console',
    anyOf: 'user',
    despiteDuty: 'inSession',
    endsSession: true,
    ownAccount: 'never',
    event: { entity: 'user', action: 'sign-out' },
  },
  signOut,
)
