import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { env } from '#lib/env.server'

const peers = new WeakMap<Request, string>()

const LOOPBACK = '127.0.0.1'

/** Called by the server that took the connection: a Request itself does not say where it came from. */
export const rememberPeer = (request: Request, address: string): void => {
  peers.set(request, address)
}

const addresses = new WeakMap<Socket, string>()

/** A socket forgets its address when the client leaves, which may be before its request is read. */
export function rememberConnection(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else addresses.set(socket, socket.remoteAddress)
}

/** Throws for a connection that was not remembered. */
export function addressOf(socket: Socket): string {
  const address = addresses.get(socket)
  if (address === undefined) throw new Error('The address of the connection is not known')
  return address
}

export const isPeerKnown = (request: Request): boolean => peers.has(request)

/** A request that no connection brought: a command on the server itself. */
export function requestOfThisMachine(): Request {
  const request = new Request('http://localhost')
  rememberPeer(request, LOOPBACK)
  return request
}

const isTrusted = (address: string): boolean =>
  env().TRUST_PROXY.some((trusted) => {
    const network = trusted.includes('/') ? ipaddr.parseCIDR(trusted) : undefined
    const parsed = ipaddr.process(address)
    if (!network) return ipaddr.process(trusted).toString() === parsed.toString()
    return network[0].kind() === parsed.kind() && parsed.match(network as [ipaddr.IPv4, number])
  })

/** `next dev` calls route files without the connection. `npm run dev` lets it listen on loopback alone. */
const isDevelopment = process.env.NODE_ENV === 'development'

/** Throws where nobody said: an address that is assumed would pass allowedCIDRs, the throttle and /metrics. */
export function peerOf(request: Request): string {
  const peer = peers.get(request) ?? (isDevelopment ? LOOPBACK : undefined)
  if (peer === undefined) throw new Error('The address that the request comes from is not known')
  return peer
}

/**
 * Headers that a browser, a command line client or a scraper of metrics sends of itself. Each proxy, load balancer and content network
 * adds headers of its own making: a list of those would never be complete.
 */
const ofClients = [
  /^(host|connection|keep-alive|te|upgrade|http2-settings|user-agent|authorization|cookie|date|dnt|priority|range|origin|referer)$/,
  /^(accept|sec|content|if)(-|$)/,
  /^(cache-control|pragma|upgrade-insecure-requests|x-request-id|x-requested-with|x-prometheus-scrape-timeout-seconds)$/,
  /^(traceparent|tracestate|baggage)$/,
]

const isOfClient = (name: string): boolean => ofClients.some((names) => names.test(name))

/** Whether it comes from this machine and was handed on by nobody: what a proxy here brings comes from elsewhere. */
export const isFromThisMachine = (request: Request): boolean =>
  ipaddr.process(peerOf(request)).range() === 'loopback' && [...request.headers.keys()].every(isOfClient)

/** Whether what the request says of its way here (X-Forwarded-*) may be believed. */
export const isFromTrustedProxy = (request: Request): boolean => isTrusted(peerOf(request))

/** A client's address, of IPv6 its network of 64 bits: a client has a whole one of those (RFC 6177). */
function networkOfAddress(text: string): string {
  const address = ipaddr.parse(text)
  if (address.kind() === 'ipv4') return address.toString()
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** The address of the peer, or what a trusted proxy says of the client's (the last hop that is not trusted itself). */
function lastHop(peer: string, forwardedFor: string): string {
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  let address = peer
  while (isTrusted(address)) {
    const hop = hops.pop()
    if (!hop || !ipaddr.isValid(hop) || ipaddr.process(hop).range() === 'loopback') break
    address = hop
  }
  return ipaddr.process(address).toString()
}

export const clientAddress = (request: Request): string =>
  lastHop(peerOf(request), request.headers.get('x-forwarded-for') ?? '')

export const clientNetwork = (request: Request): string => networkOfAddress(clientAddress(request))

/** The client's address as clientAddress gives it, before there is a Request. */
export const addressOfClient = ({ socket, headers }: IncomingMessage): string =>
  lastHop(addressOf(socket), String(headers['x-forwarded-for'] ?? ''))

/** The client's network, likewise. */
export const networkOf = (request: IncomingMessage): string => networkOfAddress(addressOfClient(request))
