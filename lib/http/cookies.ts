/** The console's session: sealed by iron-session, read by nobody but this server. */
export const consoleCookie = 'console'

const attributes = new Set(['path', 'expires', 'max-age', 'domain', 'samesite', 'httponly', 'secure'])

/**
 * The value of a cookie, or undefined. Tolerates what existing clients send: whole Set-Cookie values echoed back, with their
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

/** A Set-Cookie value for the whole site, out of the reach of scripts. An `expires` in the past clears it. */
export const setCookie = (name: string, value: string, expires: number, secure: boolean): string =>
  `${name}=${value}; Expires=${new Date(expires).toUTCString()}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
