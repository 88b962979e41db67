import { authenticate } from '#lib/auth/authenticate.server'
import { callerOf } from '#lib/auth/caller.server'
import { checkCode, checkNickAndPassword, proveOwnCode } from '#lib/auth/password-sign-in.server'
import type { Caller } from '#lib/auth/privileges'
import {
  codeInput,
  type SessionDocument,
  type SignInInput,
  signInInput,
  twoFactorProviders,
} from '#lib/auth/session.schema'
import { writeConsoleSession } from '#lib/auth/session.server'
import { recordSignIn } from '#lib/auth/sign-in-events.server'
import { newSession, type Session, sessionEnd } from '#lib/auth/tokens.server'
import { twoFactorState } from '#lib/auth/two-factor.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { type Db, database, transaction } from '#lib/db/db.server'
import { bodySyntax, type Format, negotiate } from '#lib/http/accept.server'
import { parseDocument, readText, validate } from '#lib/http/body.server'
import { ApiError, fault } from '#lib/http/errors'
import { baseOf, isForeignWrite } from '#lib/http/origin.server'
import { renderDocument } from '#lib/http/render.server'
import type { Sent } from '#lib/http/spec'
import { link } from '#lib/http/view'

/** Signs in to the console: password, then the code where two factor is on. A new session each time. */
export async function signIn(request: Request): Promise<Response> {
  if (isForeignWrite(request)) throw new ApiError('403-FORBIDDEN')
  const format = negotiate(request.headers.get('accept'), 'session')
  const { nick, password, code } = await readSignIn(request)
  const known = await checkNickAndPassword(request, nick, password)
  if (!known) throw new ApiError('SIGN-IN-0')
  const { account } = known
  if (account.two_factor_provider) {
    if (!code) throw new ApiError('SIGN-IN-1')
    if (!(await checkCode(request, account, code))) throw new ApiError('SIGN-IN-2')
  } else await transaction((trx) => recordSignIn(trx, request, account))
  const session = newSession(account.id, account.token_epoch)
  const headers = new Headers()
  await writeConsoleSession(request, headers, session)
  return sessionAnswer(request, { caller: await callerOf(account), session }, format, headers)
}

/** Who is signed in; 204 for nobody: the console asks before anybody is, and a browser notes each 401 as an error. */
export async function currentSession(request: Request): Promise<Response> {
  const format = negotiate(request.headers.get('accept'), 'session')
  const found = await authenticate(request).catch(nobody)
  if (found) return sessionAnswer(request, found, format)
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

function nobody(error: unknown): null {
  if (error instanceof Unauthorized) return null
  throw error
}

async function sessionAnswer(
  request: Request,
  { caller, session }: { caller: Caller; session: Session },
  format: Format,
  headers = new Headers(),
): Promise<Response> {
  headers.set('cache-control', 'no-store')
  headers.set('content-type', format.type)
  const document = await readSession({ caller, db: database().read, session })
  return new Response(renderDocument(document, 'session', format.syntax, baseOf(request)), { headers })
}

async function readSignIn(request: Request): Promise<SignInInput> {
  const text = await readText(request)
  const syntax = bodySyntax(request.headers.get('content-type'), 'session')
  const input = validate(signInInput, parseDocument(text, syntax, 'session'))
  if ('faults' in input) throw new ApiError(input.faults)
  return input.value
}

type Asked = { caller: Caller; db: Db; session: Session }

async function readSession({ caller, db, session }: Asked): Promise<SessionDocument> {
  const user = await db
    .selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .where('users.id', '=', caller.id)
    .select(['users.name', 'users.surname', 'users.email', 'users.locale', 'users.role_id'])
    .select(['enterprises.name as enterprise_name', 'roles.name as role_name'])
    .select('enterprises.two_factor_mandatory')
    .executeTakeFirstOrThrow()
  const scope = await db
    .selectFrom('scopes')
    .where('id', '=', caller.scope.id)
    .select('name')
    .executeTakeFirstOrThrow()
  const { provider, scratchCodesLeft } = await twoFactorState(caller.id)
  const twoFactorProvider = twoFactorProviders.find((name) => name === provider)
  return {
    links: [
      link('user', `/admin/enterprises/${caller.enterpriseId}/users/${caller.id}`, 'user', caller.nick),
    ],
    id: caller.id,
    nick: caller.nick,
    name: user.name,
    surname: user.surname,
    email: user.email,
    locale: user.locale,
    enterprise: { id: caller.enterpriseId, name: user.enterprise_name },
    role: { id: user.role_id, name: user.role_name },
    scope: { ...caller.scope, name: scope.name },
    privileges: [...caller.privileges].sort(),
    ...(twoFactorProvider && { twoFactorProvider }),
    mustEnableTwoFactor: user.two_factor_mandatory === 1 && !twoFactorProvider,
    scratchCodesLeft,
    expiresAt: new Date(sessionEnd(session)).toISOString(),
  }
}

const sentCode = (document: unknown): string | undefined => codeInput.safeParse(document).data?.code

/** Uses up the code that is sent, before anything else: a wrong one is counted. */
export async function tryCode({ request, caller, document }: Sent): Promise<boolean> {
  const code = sentCode(document)
  return code !== undefined && proveOwnCode(request, caller, code)
}

/** Proves a code of the own authenticator. Throws 2FA-7, 2FA-8. */
export async function proveCode({ caller, prepared }: { caller: Caller; prepared: boolean }): Promise<void> {
  const { provider } = await twoFactorState(caller.id)
  if (!provider) throw new ApiError('2FA-7')
  if (!prepared) throw new ApiError(fault('2FA-8'))
}
