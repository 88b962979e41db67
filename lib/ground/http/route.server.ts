import type { Exchange } from '#lib/ground/http/exchange.server'

const plain = (segment: string): string => encodeURIComponent(decodeURIComponent(segment))

/** One spelling for each path: no unnecessary escapes, no empty segments, no trailing slash. */
export const plainPath = (request: Exchange): string =>
  `/${urlOf(request).pathname.split('/').filter(Boolean).map(plain).join('/')}`

/** The address of the request, parsed once. Callers share it and must not change it. */
export function urlOf(request: Exchange): URL {
  request.parsed ??= new URL(request.url)
  return request.parsed
}

/** Whether a target is for SCIM, whose answers and refusals have a media type of their own (RFC 7644 §3.1). */
export const isScimPath = (target: string): boolean => /^\/+scim([/?]|$)/.test(target)

export const isScim = (request: Exchange): boolean => isScimPath(urlOf(request).pathname)

/** Addresses that programs ask every few seconds: never refused, neither traced nor logged. */
export const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
