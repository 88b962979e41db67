/** Over https no sister site and no page served by http can set a cookie of such a name (RFC 6265bis §4.1.3.2). */
export const ownCookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The console's session: sealed by iron-session, read by nobody but this server. */
export const consoleCookie = (secure: boolean): string => ownCookieName('console', secure)

const attributes = new Set(['path', 'expires', 'max-age', 'domain', 'samesite', 'httponly', 'secure'])

/**
 * The value of a cookie of programs, or undefined. Tolerates what existing clients send: whole Set-Cookie values echoed back, with their
 * attributes, several of them joined by commas. The last one of a name counts: it is the freshest.
 */
export function cookieOf(header: string | null, name: string): string | undefined {
  let found: string | undefined
  for (const part of (header ?? '').split(/[;,]/)) {
    const equals = part.indexOf('=')
    const key = part.slice(0, Math.max(equals, 0)).trim()
    if (attributes.has(key.toLowerCase())) continue
    if (key === name)
      found = part
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return found || undefined
}

const pairsOf = (header: string | null): string[] => (header ?? '').split(';').map((part) => part.trim())

/** The names of the cookies that a browser sent. */
export const cookieNames = (header: string | null): string[] =>
  pairsOf(header).map((pair) => pair.split('=', 1)[0] ?? '')

/**
 * The values of the cookies of this name, as browsers write them (RFC 6265 §5.4). A comma ends no cookie: a sister site may put
 * `,__Host-…=` into the value of a cookie of its own.
 */
export const browserCookies = (header: string | null, name: string): string[] =>
  pairsOf(header).flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))

/** A Set-Cookie value for the whole site, out of the reach of scripts. An `expires` in the past clears it. */
export const setCookie = (name: string, value: string, expires: number, secure: boolean): string =>
  `${name}=${value}; Expires=${new Date(expires).toUTCString()}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
