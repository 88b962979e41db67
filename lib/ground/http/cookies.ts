/** Over https, neither a sibling domain nor a page on http can set a `__Host-` cookie (RFC 6265bis §4.1.3.2). */
export const ownCookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The console's session, sealed by iron-session: only this server can read it. */
export const consoleCookie = (secure: boolean): string => ownCookieName('console', secure)

const attributes = new Set(['path', 'expires', 'max-age', 'domain', 'samesite', 'httponly', 'secure'])

/**
 * The value of a cookie sent by a program, or undefined. Existing clients echo whole Set-Cookie values with their attributes, several
 * joined by commas. The last cookie of a name wins, because it is the newest.
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
 * The values of all cookies of this name, as browsers send them (RFC 6265 §5.4). A comma does not end a cookie: a sibling domain could put
 * `,__Host-…=` into the value of its own cookie.
 */
export const browserCookies = (header: string | null, name: string): string[] =>
  pairsOf(header).flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))

type Cookie = { name: string; value: string; expires: number }

let written = { second: 0, text: new Date(0).toUTCString() }

/** Most tokens of a busy server end in the same second as the one before. */
function timeText(time: number): string {
  const second = Math.floor(time / 1000)
  if (second !== written.second) written = { second, text: new Date(time).toUTCString() }
  return written.text
}

/** The attributes of an HttpOnly cookie for the whole site. */
export const cookieAttributes = (expires: number, secure: boolean): string =>
  `Expires=${timeText(expires)}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** An HttpOnly Set-Cookie value for the whole site. */
export const setCookie = ({ name, value, expires }: Cookie, secure: boolean): string =>
  `${name}=${value}; ${cookieAttributes(expires, secure)}`

/** A Set-Cookie value that deletes the cookie: it expired in 1970. */
export const clearCookie = (name: string, secure: boolean): string =>
  setCookie({ name, value: '', expires: 0 }, secure)
