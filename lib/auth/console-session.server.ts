import { authenticate } from '#lib/auth/authenticate.server'
import { callerOf, dutyOf, withCodeProved } from '#lib/auth/caller.server'
import { isOidcOn, isPasswordOn, isSamlOn } from '#lib/auth/modes.server'
import { askForCode, checkCode, checkNickAndPassword } from '#lib/auth/password-sign-in.server'
import { type SignInInput, type SignInWays, signInInput } from '#lib/auth/session.schema'
import { endReplacedSession, writeConsoleSession } from '#lib/auth/session.server'
import { readSession, type SessionOf } from '#lib/auth/session-view.server'
import { beginSession } from '#lib/auth/sessions.server'
import { recordSignIn } from '#lib/auth/sign-in-events.server'
import { CodeRequired, Unauthorized } from '#lib/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { negotiate } from '#lib/http/accept.server'
import { ApiError } from '#lib/http/errors'
import { sendsMail } from '#lib/mail/outbox.server'
import { answerOpenly, readOpenly, requireOwnSite } from '#lib/pipeline/open.server'

/** Signs in to the console: password, then the code where two factor is on. A new session each time. */
export async function signIn(request: Request): Promise<Response> {
  requireOwnSite(request)
  if (!isPasswordOn()) throw new ApiError('SIGN-IN-7')
  negotiate(request.headers.get('accept'), 'session')
  const { nick, password, code }: SignInInput = await readOpenly(request, signInInput, 'session')
  const known = await checkNickAndPassword(request, nick, password)
  if (!known) throw new ApiError('SIGN-IN-0')
  const { account } = known
  const { two_factor_provider: type } = account
  if (type) {
    if (!code) throw new CodeRequired('SIGN-IN-1', await askForCode(account))
    const { right, ...helps } = await checkCode(request, account, code)
    if (!right) throw new CodeRequired('SIGN-IN-2', { type, ...helps })
  }
  const session = await transaction(async (trx) => {
    if (!type) await recordSignIn(trx, request, account, 'password')
    await endReplacedSession(trx, request)
    return beginSession(trx, request, { userId: account.id, epoch: account.token_epoch, inConsole: true })
  })
  const headers = new Headers()
  await writeConsoleSession(request, headers, session)
  const duty = dutyOf(withCodeProved(account), true)
  return sessionAnswer(request, { caller: callerOf(account), session, duty }, headers)
}

/** Who is signed in; 204 for nobody: the console asks before anybody is, and a browser notes each 401 as an error. */
export async function currentSession(request: Request): Promise<Response> {
  negotiate(request.headers.get('accept'), 'session')
  const found = await authenticate(request).catch(nobody)
  if (found) return sessionAnswer(request, found)
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

function nobody(error: unknown): null {
  if (error instanceof Unauthorized) return null
  throw error
}

const sessionAnswer = async (request: Request, session: SessionOf, headers?: Headers): Promise<Response> =>
  answerOpenly(request, 'session', await readSession(request, session), headers)

/** What the sign-in page offers. */
export async function signInWaysOf(request: Request): Promise<Response> {
  const ways: SignInWays = {
    links: [],
    password: isPasswordOn(),
    passwordReset: isPasswordOn() && sendsMail(),
    passwordMinLength: env().PASSWORD_MIN_LENGTH,
    oidc: isOidcOn(),
    saml: isSamlOn(),
  }
  return answerOpenly(request, 'signinways', ways)
}
