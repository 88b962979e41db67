import { env } from '#lib/ground/env.server'
import { isFromTrustedProxy } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { urlOf } from '#lib/ground/http/route.server'
import { isLoopback } from '#lib/ground/net/loopback'

/**
 * The base of all links: BASE_URL, or the origin that Host (or a trusted proxy) names, without default ports.
 */
export function baseOf(request: Exchange): string {
  const { BASE_URL } = env()
  if (BASE_URL) return BASE_URL
  request.base ??= ownBase(request)
  return request.base
}

function ownBase(request: Exchange): string {
  const { protocol, host, origin } = urlOf(request)
  const forwarded = (name: string) => (isFromTrustedProxy(request) ? request.headers.get(name) : null)
  const scheme = forwarded('x-forwarded-proto') === 'https' ? 'https:' : protocol
  const named = `${scheme}//${forwarded('x-forwarded-host') ?? request.headers.get('host') ?? host}`
  return named === origin ? origin : (URL.parse(named)?.origin ?? origin)
}

/** Names of this machine alone (RFC 6761 §6.3): no resolver that an attacker controls answers for them. */
const isLoopbackName = (hostname: string): boolean => isLoopback(hostname) || hostname.endsWith('.localhost')

/** True for the host of BASE_URL and the names of this machine. A page of another name could point it here (DNS rebinding). */
export const isKnownHostname = (hostname: string): boolean =>
  isLoopbackName(hostname) || hostname === URL.parse(env().BASE_URL ?? '')?.hostname

/** Whether Host, or X-Forwarded-Host of a trusted proxy, is a known name. */
export const isForKnownHost = (request: Exchange): boolean =>
  isKnownHostname(new URL(ownBase(request)).hostname)

/** The base of links in mails: BASE_URL, or the address of this server. Never a value from a request, which could be forged. */
export function siteAddress(): string {
  const { BASE_URL, HOST, PORT } = env()
  return BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

/** True if cookies are set as Secure. */
export const isSecure = (request: Exchange): boolean => baseOf(request).startsWith('https:')

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True for a write that a browser marks as sent by another site. Browsers send Sec-Fetch-Site over https and to loopback, and Origin with
 * every write. Other clients send neither header.
 */
function isForeignWrite(request: Exchange): boolean {
  if (safe.has(request.method)) return false
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  if (site !== null && site !== 'same-site') return true
  const origin = request.headers.get('origin')
  return origin !== null && origin !== new URL(baseOf(request)).origin
}

/** Schemes of Authorization that no browser adds by itself. Browsers add Basic and cookies to requests of every site. */
const OF_PROGRAMS = /^(token|bearer|oauth) /i

/** Refuses writes that a page of another site could have sent. Throws 403-FORBIDDEN. */
export function requireOwnSite(request: Exchange): void {
  const isByProgram = OF_PROGRAMS.test(request.headers.get('authorization') ?? '')
  if (!isByProgram && isForeignWrite(request)) throw new ApiError('403-FORBIDDEN')
}

/** True if a browser sent the request. Over plain http to other hosts than loopback browsers send no Sec-Fetch-Site. */
export const isFromBrowser = ({ headers }: Exchange): boolean =>
  headers.has('sec-fetch-site') ||
  headers.has('origin') ||
  /^mozilla\//i.test(headers.get('user-agent') ?? '')

/** A page of another site may redirect the browser here, but starts no sign-in and no sign-out. */
export const isLedByOthers = (request: Exchange): boolean =>
  isForeignWrite(request) || !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'))
