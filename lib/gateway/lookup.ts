import { type Collection, collections, type Element, nameOf } from '#lib/gateway/elements'
import { canonical, type Family, familyOf, type Network, networkOf, numberOf } from '#lib/gateway/networks'

/* What the kernel finds in the maps of DNAT for the first packet of a connection. */

export type Arrival = {
  from: string
  to: string
  /** ANY: another protocol, without ports. */
  protocol: 'TCP' | 'UDP' | 'ANY'
  port?: number | undefined
}

type Elements = ReadonlyMap<string, Element>

/** An element whose key has intervals. */
type Interval = { element: Element; protocol?: string; first: number; last: number; source?: Network }

const portsIn = (text = ''): [number, number] => {
  const [first = '', last = first] = text.split('-')
  return [Number(first), Number(last)]
}

/** Undefined for other elements, and for foreign ones with a form that the gateway never writes. */
function intervalOf(element: Element): Interval | undefined {
  const [, ...parts] = element.key.split(' . ')
  const network = (text: string | undefined) => networkOf(text ?? '')
  switch (element.collection) {
    case 'dnat_ranges':
    case 'dnat_ranges_to_port': {
      const [protocol = '', ports] = parts
      const [first, last] = portsIn(ports)
      return { element, protocol, first, last }
    }
    case 'dnat_sources':
    case 'dnat_sources_to_port': {
      const [protocol = '', ports, source] = [parts[0], parts[1], network(parts[2])]
      const [first, last] = portsIn(ports)
      return source && { element, protocol, first, last, source }
    }
    case 'dnat_hosts_sources': {
      const source = network(parts[0])
      return source && { element, first: 0, last: 65_535, source }
    }
    default:
      return undefined
  }
}

const placeOf = (family: Family, collection: Collection, address: string): string =>
  `${family} ${collection} ${address}`

function indexOf(elements: Elements): Map<string, Interval[]> {
  const index = new Map<string, Interval[]>()
  for (const element of elements.values()) {
    const interval = intervalOf(element)
    if (!interval) continue
    const [address = ''] = element.key.split(' . ')
    const place = placeOf(element.family, element.collection, address)
    const known = index.get(place)
    if (known) known.push(interval)
    else index.set(place, [interval])
  }
  return index
}

const indexes = new WeakMap<Elements, Map<string, Interval[]>>()

/** Remembered for the packets that follow. */
function intervalsOf(elements: Elements): Map<string, Interval[]> {
  const index = indexes.get(elements) ?? indexOf(elements)
  indexes.set(elements, index)
  return index
}

function isHit({ protocol, first, last, source }: Interval, packet: Arrival): boolean {
  if (protocol !== undefined && protocol !== packet.protocol.toLowerCase()) return false
  if (protocol !== undefined && (packet.port === undefined || packet.port < first || packet.port > last))
    return false
  if (!source) return true
  const from = numberOf(packet.from)
  return source.family === familyOf(packet.from) && source.first <= from && from <= source.last
}

/** The keys of a packet in the maps without intervals. */
const keyIn = {
  dnat_ports: ({ protocol, port }: Arrival, to: string) =>
    protocol === 'ANY' ? undefined : `${to} . ${protocol.toLowerCase()} . ${port}`,
  dnat_protocols: ({ protocol }: Arrival, to: string) =>
    protocol === 'ANY' ? undefined : `${to} . ${protocol.toLowerCase()}`,
  dnat_hosts: (_: Arrival, to: string) => to,
} as const

/** As in the chain. */
const order = collections.filter((name) => name.startsWith('dnat_'))

/** The elements that match the packet, in the order of the chain: the first one translates it. */
export function destinationsOf(elements: Elements, packet: Arrival): Element[] {
  const family = familyOf(packet.to)
  if (!family) return []
  const to = canonical(packet.to)
  const found = (collection: Collection): Element[] => {
    if (collection in keyIn) {
      const key = keyIn[collection as keyof typeof keyIn](packet, to)
      const element = key === undefined ? undefined : elements.get(nameOf({ family, collection, key }))
      return element ? [element] : []
    }
    const intervals = intervalsOf(elements).get(placeOf(family, collection, to)) ?? []
    return intervals.filter((each) => isHit(each, packet)).map(({ element }) => element)
  }
  return order.flatMap(found)
}
