import { accountOfSession, callerOf, dutyOfTokens } from '#lib/caller/auth/caller.server'
import { recordUse } from '#lib/caller/auth/sessions.server'
import type { Authenticated, Strategy } from '#lib/caller/auth/strategy.server'
import { readToken } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { limitedTo } from '#lib/caller/oauth/applications.server'
import { cookieOf } from '#lib/ground/http/cookies'
import type { Exchange } from '#lib/ground/http/exchange.server'

/** The caller and session of a token. Throws Unauthorized if the token is invalid, expired or revoked. */
async function authenticatedBy(request: Exchange, token: string): Promise<Authenticated> {
  const session = readToken(token)
  const found = session && (await accountOfSession(session, false))
  if (!session || !found) throw new Unauthorized({ schemes: ['Token'] })
  const caller = callerOf(found.account)
  const isTokenValid = async () => readToken(token) !== null
  if (session.grant !== undefined) {
    const limited = await limitedTo(caller, session.grant)
    if (!limited) throw new Unauthorized({ schemes: ['Token'] })
    return { caller: limited, session, inConsole: false, proof: undefined, duty: undefined, isTokenValid }
  }
  recordUse(request, session, { inConsole: false, lastUsed: found.lastUsed })
  return {
    caller,
    session,
    inConsole: false,
    proof: undefined,
    duty: dutyOfTokens(found.account, session),
    isTokenValid,
  }
}

/** `Authorization: Token <token>`. */
export const token: Strategy = async (request) => {
  const header = request.headers.get('authorization')
  return header && /^token( |$)/i.test(header) ? authenticatedBy(request, header.slice(6).trim()) : null
}

/** The cookie `auth`, which successful requests of programs set, or else the cookie `session`, which is set with it. */
export const authCookie: Strategy = async (request) => {
  const header = request.headers.get('cookie')
  const token = cookieOf(header, 'auth') ?? cookieOf(header, 'session')
  if (!token) return null
  return authenticatedBy(request, token)
}
