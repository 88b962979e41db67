import { getIronSession } from 'iron-session'
import { accountOfSession, callerOf, dutyOf } from '#lib/caller/auth/caller.server'
import { endSession, isProvedLately, recordUse } from '#lib/caller/auth/sessions.server'
import type { Strategy } from '#lib/caller/auth/strategy.server'
import { type Session, sessionEnd } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import type { Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { browserCookies, clearCookie, consoleCookie as nameOfCookie } from '#lib/ground/http/cookies'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { isSecure } from '#lib/ground/http/origin.server'
import { keysFor } from '#lib/ground/keys/keys.server'

const sealed = (request: Exchange, response: Response, [key] = keysFor('session')) =>
  getIronSession<{ session?: Session }>(
    new Request(request.url, { headers: { cookie: request.headers.get('cookie') ?? '' } }),
    response,
    {
      cookieName: nameOfCookie(isSecure(request)),
      password: key.toString('base64url'),
      ttl: env().SESSION_MAX_SECONDS,
      cookieOptions: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(request) },
    },
  )

/** The exact format that iron-session writes. Its reader also accepts other encodings, and ignores text after the version. */
const SEALED = /^Fe26\.2\*[\w*-]+~2$/

export async function readConsoleSession(request: Exchange): Promise<Session | null> {
  const values = browserCookies(request.headers.get('cookie'), nameOfCookie(isSecure(request)))
  if (values.length === 0 || !values.every((value) => SEALED.test(value))) return null
  for (const key of keysFor('session')) {
    const { session } = await sealed(request, new Response(), [key])
    if (session) return sessionEnd(session) > Date.now() ? session : null
  }
  return null
}

/** Also removes the cookies of a Basic sign-in in the same browser, which would take precedence. */
export async function writeConsoleSession(
  request: Exchange,
  headers: AnswerHeaders,
  session: Session,
): Promise<void> {
  const response = new Response()
  const store = await sealed(request, response)
  store.session = session
  await store.save()
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie)
  clearCookies(request, headers, TOKEN_COOKIES)
}

const TOKEN_COOKIES = ['auth', 'session']

function clearCookies(request: Exchange, headers: AnswerHeaders, names: string[]): void {
  for (const name of names) headers.append('set-cookie', clearCookie(name, isSecure(request)))
}

/** Ends the session in the browser's cookie before a sign-in replaces the cookie: the browser could not end it afterwards. */
export async function endReplacedSession(trx: Trx, request: Exchange): Promise<void> {
  const session = await readConsoleSession(request)
  if (session) await forgetSession(trx, session)
}

/** Ends the session, and deletes the identity provider's data stored with it. */
export async function forgetSession(db: Trx, session: Session): Promise<void> {
  await endSession({ db, session })
  await db.deleteFrom('session_providers').where('chain', '=', session.id).execute()
}

type SigningOut = { request: Exchange; session: Session; db: Trx; headers: AnswerHeaders }

export async function signOut({ request, session, db, headers }: SigningOut): Promise<void> {
  await forgetSession(db, session)
  clearCookies(request, headers, [...TOKEN_COOKIES, nameOfCookie(isSecure(request))])
}

export const consoleCookie: Strategy = async (request) => {
  const session = await readConsoleSession(request)
  if (!session) return null
  const found = await accountOfSession(session, true)
  if (!found) throw new Unauthorized({ schemes: ['Token'] })
  const { account, lastUsed, provedAt, owesCode, isByProvider, sees } = found
  recordUse(request, session, { inConsole: true, lastUsed })
  return {
    caller: callerOf(account),
    session,
    inConsole: true,
    proof: isProvedLately(session, provedAt) ? 'remembered' : undefined,
    duty: isByProvider ? undefined : dutyOf(account, true, owesCode),
    sees,
  }
}
