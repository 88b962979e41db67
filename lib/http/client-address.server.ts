import ipaddr from 'ipaddr.js'
import { env } from '#lib/env.server'

const peers = new WeakMap<Request, string>()

/** The server that took the connection tells where it came from; a Request itself cannot say. */
export const rememberPeer = (request: Request, address: string | undefined): void => {
  if (address) peers.set(request, address)
}

const isTrusted = (address: string): boolean =>
  env().TRUST_PROXY.some((trusted) => {
    const network = trusted.includes('/') ? ipaddr.parseCIDR(trusted) : undefined
    const parsed = ipaddr.process(address)
    if (!network) return ipaddr.process(trusted).toString() === parsed.toString()
    return network[0].kind() === parsed.kind() && parsed.match(network as [ipaddr.IPv4, number])
  })

const peerOf = (request: Request): string => peers.get(request) ?? '127.0.0.1'

/** Whether it comes from this machine and was handed on by nobody: what a proxy here brings comes from elsewhere. */
export const isFromThisMachine = (request: Request): boolean =>
  ipaddr.process(peerOf(request)).range() === 'loopback' &&
  !request.headers.has('x-forwarded-for') &&
  !request.headers.has('forwarded')

/** Whether what the request says of its way here (X-Forwarded-*) may be believed. */
export const isFromTrustedProxy = (request: Request): boolean => isTrusted(peerOf(request))

/** The client's address, of IPv6 its network of 64 bits: a client has a whole one of those (RFC 6177). */
export function clientNetwork(request: Request): string {
  const address = ipaddr.parse(clientAddress(request))
  if (address.kind() === 'ipv4') return address.toString()
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** The client's address: the peer's, or what a trusted proxy says of it (the last hop that is not trusted itself). */
export function clientAddress(request: Request): string {
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  let address = peerOf(request)
  while (isTrusted(address)) {
    const hop = hops.pop()
    if (!hop || !ipaddr.isValid(hop) || ipaddr.process(hop).range() === 'loopback') break
    address = hop
  }
  return ipaddr.process(address).toString()
}
