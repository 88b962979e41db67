import { basic } from '#lib/auth/strategies/basic.server'
import { bearer } from '#lib/auth/strategies/bearer.server'
import { authCookie, consoleCookie } from '#lib/auth/strategies/cookie.server'
import { oauth1 } from '#lib/auth/strategies/oauth1.server'
import { token } from '#lib/auth/strategies/token.server'
import type { Authenticated, Strategy } from '#lib/auth/strategy'
import { type Refusal, type Scheme, Unauthorized } from '#lib/auth/unauthorized'
import { env } from '#lib/env.server'
import { isOidcOn, isPasswordOn } from '#lib/federation/modes.server'

/** In the order in which they decide: an Authorization header, the auth cookie, the console's session. */
const strategies: Strategy[] = [basic, token, bearer, oauth1, authCookie, consoleCookie]

/** Throws Unauthorized with the challenges of the mechanisms in force. */
export async function authenticate(request: Request): Promise<Authenticated> {
  for (const strategy of strategies) {
    const found = await strategy(request)
    if (found) return found
    if (strategy === oauth1 && request.headers.has('authorization')) break
  }
  throw new Unauthorized({ schemes: ['Basic', 'Token', 'Bearer'] })
}

/**
 * The WWW-Authenticate values of a refusal. Scripts of a browser are never offered Basic: it would open its own prompt; but a 401
 * always offers something (RFC 9110 §15.5.2).
 */
export function challenges(refusal: Refusal, request: Request): string[] {
  const scripted = request.headers.get('sec-fetch-dest') === 'empty'
  const wanted = scripted ? (['Token'] as const) : refusal.schemes
  const schemes = wanted.filter(isOffered)
  return (schemes.length > 0 ? schemes : (['Token'] as const)).map((scheme) => {
    const error = scheme === 'Bearer' && refusal.error ? `, error="${refusal.error}"` : ''
    return `${scheme} realm="${env().REALM}"${error}`
  })
}

const isOffered = (scheme: Scheme): boolean =>
  scheme === 'Basic' ? isPasswordOn() : scheme !== 'Bearer' || isOidcOn()
