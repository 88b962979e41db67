import { accountOfSession, callerOf, dutyOf, dutyOfTokens } from '#lib/caller/auth/caller.server'
import { consoleCookie } from '#lib/caller/auth/console-cookie.server'
import { isOidcOn, isPasswordOn } from '#lib/caller/auth/modes.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { loseView, type Seen } from '#lib/caller/auth/sessions.server'
import type { Authenticated, Strategy } from '#lib/caller/auth/strategy.server'
import { type Session, sessionEnd } from '#lib/caller/auth/tokens.server'
import { type Refusal, type Scheme, Unauthorized } from '#lib/caller/auth/unauthorized'
import { limitedTo } from '#lib/caller/oauth/applications.server'
import { env } from '#lib/ground/env.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { log } from '#lib/ground/log.server'
import { seenBy } from '#lib/people/identity/see-as.server'
import { accessToken } from '#lib/request/strategies/access-token.server'
import { basic } from '#lib/request/strategies/basic.server'
import { bearer } from '#lib/request/strategies/bearer.server'
import { oauth1 } from '#lib/request/strategies/oauth1.server'
import { authCookie, token } from '#lib/request/strategies/token.server'

/** Authorization headers; OAuth signatures may also be in the query or in a form. */
const byHeader: Strategy[] = [accessToken, basic, token, bearer, oauth1]
const byAny: Strategy[] = [...byHeader, authCookie, consoleCookie]

/** Browsers set this header; a page of another site cannot forge it. */
export const isFromConsole = (request: Exchange): boolean =>
  request.headers.get('sec-fetch-site') === 'same-origin'

/** The order in which mechanisms decide (docs/api/authentication.md, "Order of mechanisms"). */
function strategiesFor(request: Exchange): readonly Strategy[] {
  const ofPrograms = request.headers.has('authorization') ? byHeader : byAny
  return isFromConsole(request) ? [consoleCookie, ...ofPrograms] : ofPrograms
}

/** Throws Unauthorized with the challenges of the mechanisms in force. */
export async function authenticate(request: Exchange): Promise<Authenticated> {
  for (const strategy of strategiesFor(request)) {
    const found = await strategy(request)
    if (found) return inView(found, request)
  }
  throw new Unauthorized({ schemes: ['Token', 'Basic', 'Bearer'] })
}

/** The header in which the console names the user whose view it shows. */
const VIEW_HEADER = 'x-see-as'

/** The user whose view the session shows. A view that the signed-in user may no longer have ends for good. */
async function seenIn(session: Session, viewer: Caller, sees: Seen): Promise<Caller | undefined> {
  const seen = await seenBy(viewer, sees)
  if (!seen) await loseView(session, sees).catch((err) => log().warn({ err }, 'a view could not be ended'))
  return seen
}

/**
 * The user whose view the session shows becomes the caller, as far as the signed-in user may see it now. Throws SEE-AS-2 if the console
 * shows the view of a user that has ended: it must not get the view of another.
 */
async function inView(authenticated: Authenticated, request: Exchange): Promise<Authenticated> {
  const { caller, sees, inConsole, session } = authenticated
  const seen = sees && (await seenIn(session, caller, sees))
  const shown = request.headers.get(VIEW_HEADER)
  if (inConsole && shown !== null && shown !== String(seen?.id)) throw new ApiError('SEE-AS-2')
  return seen ? { ...authenticated, caller: seen, viewer: caller, proof: undefined } : authenticated
}

/** The caller of a request as they are now, and their duty. Undefined if the session, token or grant has ended. */
async function present({
  session,
  inConsole,
  isTokenValid,
  accessToken: used,
  caller: before,
  viewer,
}: Authenticated): Promise<Pick<Authenticated, 'caller' | 'duty' | 'viewer'> | undefined> {
  if (used) {
    const caller = await used.present()
    return caller && { caller, duty: undefined }
  }
  if (sessionEnd(session) <= Date.now() || (isTokenValid && !(await isTokenValid()))) return undefined
  const found = await accountOfSession(session, inConsole)
  if (!found) return undefined
  const caller = callerOf(found.account)
  if (session.grant !== undefined) {
    const limited = await limitedTo(caller, session.grant)
    return limited ? { caller: limited, duty: undefined } : undefined
  }
  const ofConsole = found.isByProvider ? undefined : dutyOf(found.account, true, found.owesCode)
  const duty = inConsole ? ofConsole : dutyOfTokens(found.account, session)
  if (!viewer) return { caller, duty }
  const seen = found.sees?.user === before.id ? await seenIn(session, caller, found.sees) : undefined
  return seen && { caller: seen, viewer: caller, duty }
}

/**
 * The caller of a request as they are now, for a response that stays open. Undefined if the session, token or grant has ended, or the user
 * owes a duty. It does not count as a use of the session.
 */
export async function presentCaller(authenticated: Authenticated): Promise<Caller | undefined> {
  const found = await present(authenticated)
  return found?.duty ? undefined : found?.caller
}

/** The same request with its caller as they are once the body has arrived, which takes as long as its sender likes. Throws Unauthorized. */
export async function authenticatedNow(authenticated: Authenticated): Promise<Authenticated> {
  const found = await present(authenticated)
  if (!found) throw new Unauthorized({ schemes: ['Token'] })
  return { ...authenticated, ...found, duty: authenticated.duty }
}

/**
 * The order matters: a common command line client stops at the first unknown challenge (docs/api/authentication.md, "Challenges"). A refused Bearer token
 * has its challenge alone.
 */
const offerOrder: readonly Scheme[] = ['Token', 'Basic', 'Bearer', 'OAuth']

/**
 * The WWW-Authenticate values of a refusal. Scripts in a browser are never offered Basic, because the browser would open its own prompt.
 * RFC 6750 §3: a refused Bearer token is named in each case.
 * A 401 must have at least one challenge (RFC 9110 §15.5.2).
 */
export function challenges(refusal: Refusal, request: Exchange): string[] {
  const isScript = request.headers.get('sec-fetch-dest') === 'empty' && !refusal.error
  const allowed = isScript ? (['Token'] as const) : refusal.schemes
  const schemes = offerOrder.filter(
    (scheme) => allowed.some((each) => each === scheme) && isOffered(scheme, refusal),
  )
  return (schemes.length > 0 ? schemes : (['Token'] as const)).map((scheme) => {
    const error = scheme === 'Bearer' && refusal.error ? `, error="${refusal.error}"` : ''
    return `${scheme} realm="${env().REALM}"${error}`
  })
}

/** Without OpenID Connect, Bearer is for access tokens, and is offered to clients that sent one. */
const isOffered = (scheme: Scheme, { error }: Refusal): boolean =>
  scheme === 'Basic' ? isPasswordOn() : scheme !== 'Bearer' || isOidcOn() || error !== undefined
