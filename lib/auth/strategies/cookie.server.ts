import { accountOfSession, callerOf, dutyOf } from '#lib/auth/caller.server'
import { isProvedLately } from '#lib/auth/proof.server'
import { readConsoleSession } from '#lib/auth/session.server'
import { noteUse } from '#lib/auth/sessions.server'
import { bearerOf } from '#lib/auth/strategies/token.server'
import type { Strategy } from '#lib/auth/strategy.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { cookieOf } from '#lib/http/cookies'
import { ApiError } from '#lib/http/errors'
import { isForeignWrite } from '#lib/http/origin.server'

const requireOwnSite = (request: Request) => {
  if (isForeignWrite(request)) throw new ApiError('403-FORBIDDEN')
}

/** The cookie `auth` that a success sets for programs; without it the session cookie that came beside it. */
export const authCookie: Strategy = async (request) => {
  const header = request.headers.get('cookie')
  const token = cookieOf(header, 'auth') ?? cookieOf(header, 'session')
  if (!token) return null
  requireOwnSite(request)
  return bearerOf(request, token)
}

/** The console's sealed session. */
export const consoleCookie: Strategy = async (request) => {
  const session = await readConsoleSession(request)
  if (!session) return null
  requireOwnSite(request)
  const found = await accountOfSession(session, true)
  if (!found) throw new Unauthorized({ schemes: ['Token'] })
  const { account, lastUsed, provedAt, isByProvider } = found
  noteUse(request, session, { inConsole: true, lastUsed })
  return {
    caller: callerOf(account),
    session,
    inConsole: true,
    proof: isProvedLately(session, provedAt) ? 'remembered' : undefined,
    duty: isByProvider ? undefined : dutyOf(account, true),
  }
}
