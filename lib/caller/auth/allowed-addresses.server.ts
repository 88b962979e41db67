import ipaddr from 'ipaddr.js'
import { clientAddress } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'

/** Whether the account may sign in from the client's address. An account without a list of networks may sign in from anywhere. */
export function isAllowedFrom(account: { allowed_cidrs: string }, request: Exchange): boolean {
  const networks = JSON.parse(account.allowed_cidrs) as string[]
  if (networks.length === 0) return true
  const address = ipaddr.process(clientAddress(request))
  return networks.some((network) => {
    const [range, prefix] = ipaddr.parseCIDR(network)
    return range.kind() === address.kind() && address.match([range as ipaddr.IPv4, prefix])
  })
}
