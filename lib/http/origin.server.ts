import { env } from '#lib/env.server'
import { isFromTrustedProxy } from '#lib/http/client-address.server'
import { ApiError } from '#lib/http/errors'

const bases = new WeakMap<Request, string>()

/**
 * Where links begin: BASE_URL, else the request's own origin as its Host (or a trusted proxy) names it; default ports are
 * left out.
 */
export function baseOf(request: Request): string {
  const { BASE_URL } = env()
  if (BASE_URL) return BASE_URL
  const base = bases.get(request) ?? ownBase(request)
  bases.set(request, base)
  return base
}

function ownBase(request: Request): string {
  const { protocol, host } = new URL(request.url)
  const forwarded = (name: string) => (isFromTrustedProxy(request) ? request.headers.get(name) : null)
  const scheme = forwarded('x-forwarded-proto') === 'https' ? 'https:' : protocol
  const named = `${scheme}//${forwarded('x-forwarded-host') ?? request.headers.get('host') ?? host}`
  return URL.canParse(named) ? new URL(named).origin : new URL(request.url).origin
}

/** Where links in mails begin: BASE_URL, else where this server listens. Never what a request says of itself. */
export function siteAddress(): string {
  const { BASE_URL, HOST, PORT } = env()
  return BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

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
  return origin !== null && origin !== new URL(baseOf(request)).origin
}

/** Refuses writes that a page of another site sent. Throws 403-FORBIDDEN. */
export function requireOwnSite(request: Request): void {
  if (isForeignWrite(request)) throw new ApiError('403-FORBIDDEN')
}
