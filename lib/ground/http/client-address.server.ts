import type { IncomingMessage } from 'node:http'
import { isIPv4, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { env } from '#lib/ground/env.server'
import { Exchange } from '#lib/ground/http/exchange.server'

const LOOPBACK = '127.0.0.1'

const addresses = new WeakMap<Socket, string>()

/** A socket loses its address when the client disconnects, possibly before the request is read. */
export function rememberConnection(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else addresses.set(socket, socket.remoteAddress)
}

/** Throws for a connection that was not remembered. */
export function addressOf(socket: Socket): string {
  const address = addresses.get(socket)
  if (address === undefined) throw new Error('The address of the connection is unknown')
  return address
}

/** The request of a command on the server itself. */
export const requestOfThisMachine = (): Exchange =>
  new Exchange({ method: 'GET', url: 'http://localhost', headers: new Headers(), peer: LOOPBACK })

const isTrusted = (address: string): boolean =>
  env().TRUST_PROXY.some((trusted) => {
    const network = trusted.includes('/') ? ipaddr.parseCIDR(trusted) : undefined
    const parsed = ipaddr.process(address)
    if (!network) return ipaddr.process(trusted).toString() === parsed.toString()
    return network[0].kind() === parsed.kind() && parsed.match(network as [ipaddr.IPv4, number])
  })

/** `next dev` calls route files without the connection. `npm run dev` lets it listen on loopback alone. */
const isDevelopment = process.env.NODE_ENV === 'development'

/** Throws if the address is unknown: an assumed one could pass allowedCIDRs, the rate limits and /metrics. */
function peerOf(request: Exchange): string {
  const peer = request.peer ?? (isDevelopment ? LOOPBACK : undefined)
  if (peer === undefined) throw new Error('The address of the client is unknown')
  return peer
}

/**
 * Headers that browsers, command line clients and metrics scrapers send by themselves. The list names clients' headers, because a list of
 * the headers that proxies, load balancers and content networks add could never be complete.
 */
const ofClients = [
  /^(host|connection|keep-alive|te|upgrade|http2-settings|user-agent|authorization|cookie|date|dnt|priority|range|origin|referer)$/,
  /^(accept|sec|content|if)(-|$)/,
  /^(cache-control|pragma|upgrade-insecure-requests|x-request-id|x-requested-with|x-prometheus-scrape-timeout-seconds)$/,
  /^(traceparent|tracestate|baggage)$/,
]

const isOfClient = (name: string): boolean => ofClients.some((names) => names.test(name))

/** True if the request comes from this machine without a proxy in between. */
export const isFromThisMachine = (request: Exchange): boolean =>
  ipaddr.process(peerOf(request)).range() === 'loopback' && [...request.headers.keys()].every(isOfClient)

/** True if the X-Forwarded-* headers of the request can be trusted. */
export const isFromTrustedProxy = (request: Exchange): boolean => isTrusted(peerOf(request))

/**
 * The networks of clients that contain an address or a /64, the narrowest first: the IPv4 address alone; for IPv6 its /64, /56 and /48,
 * because a client has a whole /64 and may have a /56 or a /48 (RFC 6177).
 */
export function networksAround(text: string): [string, ...string[]] {
  if (isIPv4(text)) return [text]
  const address = ipaddr.parse(text.replace(/\/64$/, ''))
  if (address.kind() === 'ipv4') return [address.toString()]
  const [first = 0, second = 0, third = 0, fourth = 0] = (address as ipaddr.IPv6).parts
  const named = (length: number, ...parts: number[]) =>
    `${parts.map((part) => part.toString(16)).join(':')}::/${length}`
  return [
    named(64, first, second, third, fourth),
    named(56, first, second, third, fourth & 0xff00),
    named(48, first, second, third),
  ]
}

/** Most addresses are IPv4, and have one spelling. */
const plainAddress = (text: string): string => (isIPv4(text) ? text : ipaddr.process(text).toString())

const networkOfAddress = (text: string): string => networksAround(text)[0]

/** The address of the peer, or of the last hop before the trusted proxies. */
function lastHop(peer: string, forwardedFor: string): string {
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  let address = peer
  while (isTrusted(address)) {
    const hop = hops.pop()
    if (!hop || !ipaddr.isValid(hop) || ipaddr.process(hop).range() === 'loopback') break
    address = hop
  }
  return plainAddress(address)
}

export const clientAddress = (request: Exchange): string =>
  lastHop(peerOf(request), request.headers.get('x-forwarded-for') ?? '')

/** The IPv4 address, or the IPv6 /64. */
export const clientNetwork = (request: Exchange): string => networkOfAddress(clientAddress(request))

export const clientNetworks = (request: Exchange): [string, ...string[]] =>
  networksAround(clientAddress(request))

/** Like clientAddress, for a request that has no Request object yet. */
export const addressOfClient = ({ socket, headers }: IncomingMessage): string =>
  lastHop(addressOf(socket), String(headers['x-forwarded-for'] ?? ''))

/** Like clientNetwork, for a request that has no Request object yet. */
export const networkOf = (request: IncomingMessage): string => networkOfAddress(addressOfClient(request))
