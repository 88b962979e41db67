import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { env } from '#lib/ground/env.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { isKnownHostname, siteAddress } from '#lib/ground/http/origin.server'

/*
 * Decides once, before routing, which path a request names (docs/api/conventions.md, "Paths and targets"). The router and Next get the result.
 * Targets that two parsers could read differently are refused.
 */

export type Target = {
  /** The normalized path: no unnecessary escapes, no empty segments, no trailing slash. */
  path: string
  /** The query with its `?`, or empty. */
  query: string
  /** Path and query as sent, because OAuth 1.0a signs them unchanged (RFC 5849 §3.4.1.2). */
  sent: string
  /** The requested host. */
  host: string
}

/** Reads the target and the Host of a request. Throws 400-BAD-REQUEST. */
export function readTarget(request: IncomingMessage): Target {
  const { url = '' } = request
  const host = requireHost(request)
  // Node decodes the target as Latin-1. Bytes beyond ASCII are unescaped UTF-8.
  const escaped = url.replaceAll(/[\x80-\xff]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (/[\p{Cc} #]/u.test(escaped)) throw bad('The address contains a character that must be escaped')
  const sent = originForm(escaped, host)
  const end = sent.includes('?') ? sent.indexOf('?') : sent.length
  return { path: onePath(sent.slice(0, end)), query: sent.slice(end), sent, host }
}

const bad = (message: string): ApiError => new ApiError(fault('400-BAD-REQUEST', message))

/** Valid ones, without an empty port. */
const knownHosts = new LRUCache<string, string>({ max: 100 })

/** RFC 9112 §3.2: exactly one valid Host. HTTP/1.0 may omit Host; then this server's own is used. */
function requireHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): string {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw bad('There is more than one Host header')
  if (host === undefined && httpVersion === '1.1') throw bad('The Host header is missing')
  if (host === undefined) return new URL(siteAddress()).host
  const known = knownHosts.get(host)
  if (known !== undefined) return known
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (URL.parse(`http://${host}`)?.hostname !== name) throw bad('The Host header is not valid')
  // RFC 3986 §3.2.3: an empty port is the default port.
  const valid = host.replace(/:$/, '')
  knownHosts.set(host, valid)
  return valid
}

/**
 * RFC 9112 §3.2.1 and §3.2.2: a path, or an address of this server. With BASE_URL its own names are known, and a Host that repeats
 * a foreign one proves nothing.
 */
function originForm(target: string, host: string): string {
  if (target.startsWith('/')) return target
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?\\@]+)([/?].*)?$/i.exec(target) ?? []
  const asSent = URL.parse(`${scheme}://${host}`)
  const isKnown = !env().BASE_URL || isKnownHostname(asSent?.hostname ?? '')
  const own = [isKnown ? asSent : null, URL.parse(siteAddress())].map((url) => url?.host)
  const requested = URL.parse(`${scheme}://${authority}`)?.host
  if (scheme === undefined || requested === undefined || !own.includes(requested))
    throw bad('The target is neither a path nor an address of this server')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Undefined if the escapes are not valid UTF-8. */
export const decoded = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Without escapes, dots, empty segments and a trailing slash. */
const PLAIN = /^(\/[\w-]+)+$/

function onePath(sent: string): string {
  if (PLAIN.test(sent)) return sent
  const path = decoded(sent)
  if (path === undefined) throw bad('The escapes in the path are not valid UTF-8')
  requirePlain(sent)
  return `/${path.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`
}

/** Maximum layers of escapes. More have no honest use, and each costs another pass over the path. */
const LAYERS = 4

/** Checks nested escapes too, so that a component that decodes again cannot find another path. */
function requirePlain(path: string, layers = LAYERS): void {
  if (/\\|\p{Cc}|(^|\/)\.\.?(\/|$)|%2f|%5c/iu.test(path) || layers === 0)
    throw bad('The path contains a dot segment, a backslash, an escaped slash or a control character')
  const inner = decoded(path)
  if (inner !== undefined && inner !== path) requirePlain(inner, layers - 1)
}
