import { env } from '#lib/env.server'
import { baseOf } from '#lib/http/render.server'

/** Whether cookies of this site are marked Secure. */
export const isSecure = (request: Request): boolean => baseOf(request).startsWith('https:')

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sent this write from another site: cookies travel by themselves, so they alone must not authorize it.
 * A client that is no browser sends neither header.
 */
export function isForeignWrite(request: Request): boolean {
  if (safe.has(request.method)) return false
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = request.headers.get('origin')
  return origin !== null && origin !== new URL(env().BASE_URL ?? request.url).origin
}
