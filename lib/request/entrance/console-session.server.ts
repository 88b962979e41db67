import {
  type Account,
  callerOf,
  type Duty,
  dutyOf,
  isUnproved,
  withCodeProved,
} from '#lib/caller/auth/caller.server'
import { endReplacedSession, writeConsoleSession } from '#lib/caller/auth/console-cookie.server'
import { isOidcOn, isPasswordOn, isSamlOn } from '#lib/caller/auth/modes.server'
import { type PasskeyAssertion, passkeyOptionsInput } from '#lib/caller/auth/passkey.schema'
import {
  type SessionDocument,
  type SignInInput,
  type SignInWays,
  signInInput,
} from '#lib/caller/auth/session.schema'
import { beginSession, lifeOf } from '#lib/caller/auth/sessions.server'
import type { Authenticated } from '#lib/caller/auth/strategy.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import { CodeRequired, Unauthorized } from '#lib/caller/auth/unauthorized'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { negotiate } from '#lib/ground/http/accept.server'
import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { noContent } from '#lib/ground/http/bodiless.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { codeHeader } from '#lib/ground/http/names.server'
import {
  offersPasskeys,
  requestOptions,
  requirePasskeys,
  signInWithPasskey,
} from '#lib/people/sign-in/passkeys.server'
import { askForCode, checkCode, checkNickAndPassword } from '#lib/people/sign-in/password-sign-in.server'
import { recordSignIn } from '#lib/people/sign-in/sign-in-events.server'
import { offeredProviders, twoFactorState } from '#lib/people/sign-in/two-factor.server'
import { sendsMail } from '#lib/record/mail/outbox.server'
import { answerOpenly, readOpenly } from '#lib/request/pipeline/open.server'
import { authenticate, isFromConsole } from '#lib/request/strategies/authenticate.server'

/** Signs in to the console with the password, and with a code or passkey if two factor is on, or with a passkey alone. Always begins a new session. */
export async function signIn(request: Exchange): Promise<Answer> {
  if (!isPasswordOn()) throw new ApiError('SIGN-IN-7')
  negotiate(request.headers.get('accept'), 'session')
  const input: SignInInput = await readOpenly(request, signInInput, 'session')
  const { account, proved, owesCode } = await checkFactors(request, input)
  const session = await transaction((trx) => replaceSession(trx, request, { account, owesCode }))
  return answerNewSession(request, { account, session, duty: dutyOf(proved, true, owesCode) })
}

type Replacing = { account: Account; owesCode: boolean }

/** Begins a session in place of the one in the browser's cookie. */
export async function replaceSession(
  trx: Trx,
  request: Exchange,
  { account, owesCode }: Replacing,
): Promise<Session> {
  await endReplacedSession(trx, request)
  const { id: userId, token_epoch: epoch } = account
  return beginSession(trx, request, { userId, epoch, inConsole: true, owesCode })
}

type NewSession = { account: Account; session: Session; duty: Duty | undefined }

/** The document of a new session, with its cookie. */
export async function answerNewSession(
  request: Exchange,
  { account, session, duty }: NewSession,
): Promise<Answer> {
  const headers = new AnswerHeaders()
  await writeConsoleSession(request, headers, session)
  return sessionAnswer(request, { caller: callerOf(account), session, duty }, headers)
}

/**
 * `proved`: the account for the check of duties. Only a code completes an enrolment of two factor; a passkey does not. `owesCode`: no code
 * was asked for, because none has verified the enrolment.
 */
type SigningIn = { account: Account; proved: Account; owesCode: boolean }

/** Checks a passkey alone, or the password with the second factor, and records the sign-in. */
async function checkFactors(
  request: Exchange,
  { nick, password, code, passkey }: SignInInput,
): Promise<SigningIn> {
  if (nick === undefined || password === undefined) {
    const account = passkey && (await signInWithPasskey(request, passkey))
    if (!account) throw new ApiError('SIGN-IN-9')
    return { account, proved: account, owesCode: false }
  }
  const known = await checkNickAndPassword(request, nick, password)
  if (!known) throw new ApiError('SIGN-IN-0')
  const { account } = known
  if (passkey) {
    await requirePasskeyOf(request, account, passkey)
    return { account, proved: account, owesCode: false }
  }
  if (!code && isUnproved(account)) {
    await recordPasswordAlone(request, account)
    return { account, proved: account, owesCode: true }
  }
  await requireCode(request, account, code)
  return { account, proved: withCodeProved(account), owesCode: false }
}

/** The passkey beside the password. If a code would be needed, the refusal asks for it again. */
async function requirePasskeyOf(
  request: Exchange,
  account: Account,
  passkey: PasskeyAssertion,
): Promise<void> {
  if (await signInWithPasskey(request, passkey, account.id)) return
  const { two_factor_provider: type } = account
  throw type ? new CodeRequired('SIGN-IN-9', { type }) : new ApiError('SIGN-IN-9')
}

const recordPasswordAlone = (request: Exchange, account: Account): Promise<void> =>
  transaction((trx) => recordSignIn(trx, { request, account, factors: 'password' }))

async function requireCode(request: Exchange, account: Account, code: string | undefined): Promise<void> {
  const { two_factor_provider: type } = account
  if (!type) return recordPasswordAlone(request, account)
  if (!code) throw new CodeRequired('SIGN-IN-1', await askForCode(account))
  const { right, ...helps } = await checkCode(request, account, code)
  if (!right) throw new CodeRequired('SIGN-IN-2', { type, ...helps })
}

/** The options to use a passkey. With a nick the passkey comes beside the password, in place of a code. */
export async function passkeyOptions(request: Exchange): Promise<Answer> {
  requirePasskeys(request)
  negotiate(request.headers.get('accept'), 'passkeyrequest')
  const { nick } = await readOpenly(request, passkeyOptionsInput, 'passkeyoptions')
  const headers = new AnswerHeaders()
  const document = requestOptions(request, headers, nick !== undefined)
  return answerOpenly(request, { as: 'passkeyrequest', document, headers })
}

/** The session, or 204 without one: the console requests it on the sign-in page, and browsers log each 401 as an error. */
export async function currentSession(request: Exchange): Promise<Answer> {
  negotiate(request.headers.get('accept'), 'session')
  const found = await authenticate(request).catch(nullIfUnauthorized)
  return found && (found.inConsole || !isByCookieOfProgram(request))
    ? sessionAnswer(request, found)
    : noContent()
}

/**
 * The console uses only its own sessions. The cookie names of programs have no `__Host-` prefix, so a neighbour of this host could set
 * them, and the user of the console would act in another user's account.
 */
const isByCookieOfProgram = (request: Exchange): boolean =>
  isFromConsole(request) && !request.headers.has('authorization')

function nullIfUnauthorized(error: unknown): null {
  if (error instanceof Unauthorized) return null
  throw error
}

const sessionAnswer = async (
  request: Exchange,
  session: SessionOf,
  headers?: AnswerHeaders,
): Promise<Answer> =>
  answerOpenly(request, { as: 'session', document: await readSession(request, session), headers })

export async function signInWaysOf(request: Exchange): Promise<Answer> {
  const ways: SignInWays = {
    links: [],
    password: isPasswordOn(),
    passkey: offersPasskeys(request),
    passwordReset: isPasswordOn() && sendsMail(),
    passwordMinLength: env().PASSWORD_MIN_LENGTH,
    oidc: isOidcOn(),
    saml: isSamlOn(),
  }
  return answerOpenly(request, { as: 'signinways', document: ways })
}

type SessionOf = Pick<Authenticated, 'caller' | 'session' | 'duty' | 'viewer'>

/** The signed-in user, their privileges, and when the session expires. */
async function readSession(
  request: Exchange,
  { caller, session, duty, viewer }: SessionOf,
): Promise<SessionDocument> {
  const user = await database()
    .read.selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('scopes', (join) => join.on('scopes.id', '=', caller.scope.id))
    .leftJoin('session_providers', (join) => join.on('session_providers.chain', '=', session.id))
    .leftJoin('sessions', (join) => join.on('sessions.chain', '=', session.id))
    .where('users.id', '=', caller.id)
    .select(['users.name', 'users.surname', 'users.email', 'users.locale', 'users.role_id'])
    .select(['enterprises.name as enterprise_name', 'roles.name as role_name', 'scopes.name as scope_name'])
    .select(['enterprises.two_factor_mandatory', 'users.auth_type', 'session_providers.provider'])
    .select('sessions.owes_code')
    .executeTakeFirstOrThrow()
  const { viewSecondsLeft, ...life } = await lifeOf(request, session)
  return {
    links: [linkTo(kinds.user, { enterprise: caller.enterpriseId, id: caller.id }, caller.nick)],
    id: caller.id,
    nick: caller.nick,
    name: user.name,
    surname: user.surname,
    email: user.email,
    locale: user.locale,
    enterprise: { id: caller.enterpriseId, name: user.enterprise_name },
    role: { id: user.role_id, name: user.role_name },
    scope: { ...caller.scope, name: user.scope_name },
    privileges: [...caller.privileges].sort(),
    codeHeader: codeHeader(),
    twoFactorProviders: offeredProviders(),
    passwordMinLength: env().PASSWORD_MIN_LENGTH,
    ...((user.provider === 'OPENID' || user.provider === 'SAML') && { provider: user.provider }),
    ...(viewer
      ? {
          ...noAccount,
          locale: await localeOf(viewer.id),
          viewer: { id: viewer.id, nick: viewer.nick, secondsLeft: viewSecondsLeft },
        }
      : await accountSettings(user, { caller, session, duty })),
    ...life,
  }
}

/** In place of the account settings of a user whose view another one sees. */
const noAccount = {
  mustEnableTwoFactor: false,
  canTakeBack: false,
  isEnrolling: false,
  scratchCodesLeft: 0,
  hasPassword: false,
  mustChangePassword: false,
}

/** The viewer reads in their own language. */
async function localeOf(id: number): Promise<string> {
  const { locale } = await database()
    .read.selectFrom('users')
    .where('id', '=', id)
    .select('locale')
    .executeTakeFirstOrThrow()
  return locale
}

type AccountColumns = {
  two_factor_mandatory: number
  provider: string | null
  auth_type: string
  owes_code: number | null
}

async function accountSettings(user: AccountColumns, { caller, session, duty }: SessionOf) {
  const state = await twoFactorState(caller.id)
  const { provider: twoFactorProvider, scratchCodesLeft, beganBy } = state
  return {
    ...(twoFactorProvider && { twoFactorProvider }),
    mustEnableTwoFactor:
      user.provider === null &&
      ((user.owes_code === 1 && twoFactorProvider !== undefined) ||
        (user.two_factor_mandatory === 1 && (twoFactorProvider === undefined || beganBy !== null))),
    canTakeBack: beganBy === session.id,
    isEnrolling: state.isUnproved,
    scratchCodesLeft,
    hasPassword: user.auth_type === 'LOCAL' && isPasswordOn(),
    mustChangePassword: duty === 'changePassword',
  }
}
