import type { IncomingMessage } from 'node:http'
import { ApiError, fault } from '#lib/http/errors'
import { siteAddress } from '#lib/http/origin.server'

/*
 * Decides once, before routing, which path a request names (docs/api.md, "Paths and targets"). The router and Next get the result.
 * A target that two readers could understand differently is refused.
 */

export type Target = {
  /** The path in one spelling: no escape that is not needed, no empty segment, no slash at the end. */
  path: string
  /** The query with its `?`, or empty. */
  query: string
  /** Path and query as they were sent: OAuth 1.0a signs the path so (RFC 5849 §3.4.1.2). */
  sent: string
  /** The host that is asked. */
  host: string
}

/** Reads the target and the Host of a request. Throws 400-BAD-REQUEST. */
export function readTarget(request: IncomingMessage): Target {
  const { url = '' } = request
  const host = requireHost(request)
  // Node gives a letter for each byte. Those beyond ASCII are UTF-8 that was not escaped.
  const escaped = url.replaceAll(/[\x80-\xff]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (/[\p{Cc} #]/u.test(escaped)) throw bad('The address holds a character that must be escaped')
  const sent = originForm(escaped, host)
  const end = sent.includes('?') ? sent.indexOf('?') : sent.length
  return { path: onePath(sent.slice(0, end)), query: sent.slice(end), sent, host }
}

const bad = (message: string): ApiError => new ApiError(fault('400-BAD-REQUEST', message))

/** RFC 9112 §3.2: one Host, and one that is a host. HTTP/1.0 has none: then it is this server's own. */
function requireHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): string {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw bad('More than one Host')
  if (host === undefined && httpVersion === '1.1') throw bad('There is no Host')
  if (host === undefined) return new URL(siteAddress()).host
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (URL.parse(`http://${host}`)?.hostname !== name) throw bad('The Host is none')
  // RFC 3986 §3.2.3: an empty port is the usual one.
  return host.replace(/:$/, '')
}

/** RFC 9112 §3.2.1 and §3.2.2: a path, or an address of this server. */
function originForm(target: string, host: string): string {
  if (target.startsWith('/')) return target
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?\\@]+)([/?].*)?$/i.exec(target) ?? []
  const own = [`${scheme}://${host}`, siteAddress()].map((address) => URL.parse(address)?.host)
  const asked = URL.parse(`${scheme}://${authority}`)?.host
  if (scheme === undefined || asked === undefined || !own.includes(asked))
    throw bad('The target is neither a path nor an address of this server')
  return rest.startsWith('/') ? rest : `/${rest}`
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function onePath(sent: string): string {
  const path = decoded(sent)
  if (path === undefined) throw bad('The escapes in the path are no UTF-8')
  requirePlain(sent)
  return `/${path.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`
}

/** Nobody has a reason to escape more often, and each layer costs a reading of the path. */
const LAYERS = 4

/** Escapes within escapes are looked through as well: whoever decodes once more finds no other path either. */
function requirePlain(path: string, layers = LAYERS): void {
  if (/\\|\p{Cc}|(^|\/)\.\.?(\/|$)|%2f|%5c/iu.test(path) || layers === 0)
    throw bad('The path holds a dot segment, a backslash, an escaped slash or a control character')
  const inner = decoded(path)
  if (inner !== undefined && inner !== path) requirePlain(inner, layers - 1)
}
