import { type Element, nameOf } from '#lib/gateway/elements'
import { type Arrival, destinationsOf } from '#lib/gateway/lookup'
import { canonical, type Family } from '#lib/gateway/networks'

/* The effect of table.ts's chains on the first packet of a connection: one pure function of the elements. */

export type Packet = Arrival

/** One translation. `address` is the new destination of dnat and the new source of the others; masquerade takes the gateway's own. */
export type Hop = {
  kind: 'dnat' | 'snat' | 'default' | 'masquerade'
  rule?: number | undefined
  address?: string
  port?: number
}

type Elements = ReadonlyMap<string, Element>

const familyOf = (address: string): Family => (address.includes(':') ? 'ip6' : 'ip')

function dnatHop({ value = '', rule }: Element): Hop {
  const [address = '', port] = value.split(' . ')
  return { kind: 'dnat', rule, address, ...(port !== undefined && { port: Number(port) }) }
}

/** The translations of the packet, in this order: at most one of the destination, then at most one of the source. */
export function hopsOf(elements: Elements, packet: Packet): Hop[] {
  const [destination] = destinationsOf(elements, packet)
  const hops = destination ? [dnatHop(destination)] : []
  const key = canonical(packet.from)
  const find = (collection: Element['collection']) =>
    elements.get(nameOf({ family: familyOf(packet.from), collection, key }))
  const own = find('snat_hosts')
  const other = find('snat_default')
  if (own?.value !== undefined) hops.push({ kind: 'snat', rule: own.rule, address: own.value })
  else if (other?.value !== undefined) hops.push({ kind: 'default', address: other.value })
  // The new destination is always a private address of the device.
  else if (destination && find('private')) hops.push({ kind: 'masquerade' })
  return hops
}
