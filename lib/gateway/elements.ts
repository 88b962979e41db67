import { isIPv4, isIPv6 } from 'node:net'

/* From translations (docs/gateway.md) to the elements of nftables maps: one pure function. */

/** A translation of a device, in the form of `nattranslations`. `default`: the default SNAT of a private address. */
export type Translation = {
  kind: 'dnat' | 'snat' | 'default'
  /** Missing for a default. */
  rule?: number
  /** Of DNAT. ANY covers every protocol; with ports it covers TCP and UDP. */
  protocol?: 'TCP' | 'UDP' | 'ANY'
  natIp: string
  natPort?: number
  privateIp: string
  privatePort?: number
}

export type Family = 'ip' | 'ip6'
export const families = ['ip', 'ip6'] as const

/** The maps of a table, and the set of private addresses, in the order in which the chains ask them. */
export const collections = [
  'dnat_ports',
  'dnat_protocols',
  'dnat_hosts',
  'snat_hosts',
  'snat_default',
  'private',
] as const
export type Collection = (typeof collections)[number]

export type Element = {
  /** Of its family, collection and key. */
  name: string
  family: Family
  collection: Collection
  /** As nft writes it: `203.0.113.1 . tcp . 80`. */
  key: string
  /** Missing in the set of private addresses. */
  value?: string
  rule?: number
}

/** A translation that contradicts another one, or that nftables cannot express. */
export type Refusal = { rule?: number; reason: string }

export type Desired = {
  /** By name. */
  elements: ReadonlyMap<string, Element>
  refused: readonly Refusal[]
}

export const nameOf = ({ family, collection, key }: Pick<Element, 'family' | 'collection' | 'key'>): string =>
  `${family} ${collection} ${key}`

const familyOf = (address: string): Family | undefined => {
  if (isIPv4(address)) return 'ip'
  // A packet's address contains no zone.
  return isIPv6(address) && !address.includes('%') ? 'ip6' : undefined
}

const isPort = (port: number | undefined): port is number =>
  port !== undefined && Number.isInteger(port) && port >= 1 && port <= 65_535

/** One form for each address: hexadecimal, and the shortest of RFC 5952. */
export const canonical = (address: string): string =>
  isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1)

type Entry = Pick<Element, 'collection' | 'key' | 'value'>

const protocolsOf = (protocol: Translation['protocol']): ('tcp' | 'udp')[] => {
  if (protocol === 'TCP') return ['tcp']
  return protocol === 'UDP' ? ['udp'] : ['tcp', 'udp']
}

function dnatPlaces({ protocol, natPort, privatePort }: Translation, nat: string, inner: string): Entry[] {
  if (isPort(natPort) && isPort(privatePort))
    return protocolsOf(protocol).map((name) => ({
      collection: 'dnat_ports',
      key: `${nat} . ${name} . ${natPort}`,
      value: `${inner} . ${privatePort}`,
    }))
  if (protocol === undefined || protocol === 'ANY')
    return [{ collection: 'dnat_hosts', key: nat, value: inner }]
  return protocolsOf(protocol).map((name) => ({
    collection: 'dnat_protocols',
    key: `${nat} . ${name}`,
    value: inner,
  }))
}

function placesOf(translation: Translation, nat: string, inner: string): Entry[] {
  if (translation.kind === 'dnat') return dnatPlaces(translation, nat, inner)
  const collection = translation.kind === 'snat' ? 'snat_hosts' : 'snat_default'
  return [{ collection, key: inner, value: nat }]
}

/** Undefined for a translation that makes sense. */
function faultOf({ natIp, natPort, privateIp, privatePort }: Translation): string | undefined {
  const [outside, inside] = [familyOf(natIp), familyOf(privateIp)]
  if (!outside || !inside) return `${outside ? privateIp : natIp} is not an IP address`
  if (outside !== inside) return `${natIp} and ${privateIp} are of different IP versions`
  const ports = [natPort, privatePort].filter((port) => port !== undefined)
  if (ports.length === 1 || !ports.every(isPort)) return 'one port is missing or is not between 1 and 65535'
  return undefined
}

/** The same order whatever the order of the document: of two that exclude each other, always the same one is in force. */
const inOrder = (one: Translation, other: Translation): number =>
  (one.rule ?? Number.MAX_SAFE_INTEGER) - (other.rule ?? Number.MAX_SAFE_INTEGER) ||
  compare(one.natIp, other.natIp) ||
  compare(one.privateIp, other.privateIp)

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function elementsOfOne(translation: Translation): Element[] {
  const family = isIPv4(translation.natIp) ? 'ip' : 'ip6'
  const [nat, inner] = [canonical(translation.natIp), canonical(translation.privateIp)]
  const { rule } = translation
  return placesOf(translation, nat, inner).map((place) => ({
    name: nameOf({ family, ...place }),
    family,
    ...place,
    ...(rule !== undefined && { rule }),
  }))
}

/** The members of the set of private addresses. */
function privateOf({ privateIp }: Translation): Element {
  const place = {
    family: isIPv4(privateIp) ? 'ip' : 'ip6',
    collection: 'private',
    key: canonical(privateIp),
  } as const
  return { name: nameOf(place), ...place }
}

type Making = { made: Element[]; mine: Element } | { fault: string }

const makings = new WeakMap<Translation, Making>()

/** Remembered, because a change leaves most translations as they are. */
function makingOf(translation: Translation): Making {
  const known = makings.get(translation)
  if (known) return known
  const fault = faultOf(translation)
  const making =
    fault === undefined ? { made: elementsOfOne(translation), mine: privateOf(translation) } : { fault }
  makings.set(translation, making)
  return making
}

/** All elements of all maps, and the refused translations with the reason. The result does not depend on the order of the translations. */
export function elementsOf(translations: readonly Translation[]): Desired {
  const elements = new Map<string, Element>()
  const refused: Refusal[] = []
  for (const translation of translations.toSorted(inOrder)) {
    const { rule } = translation
    const refuse = (reason: string) => refused.push({ ...(rule !== undefined && { rule }), reason })
    const making = makingOf(translation)
    if ('fault' in making) {
      refuse(making.fault)
      continue
    }
    const { made, mine } = making
    const other = made.map(({ name }) => elements.get(name)).find((each) => each !== undefined)
    if (other) {
      if (made.some(({ name, value }) => elements.get(name)?.value !== value))
        refuse(contradiction(translation, other))
      continue
    }
    for (const element of made) elements.set(element.name, element)
    elements.set(mine.name, mine)
  }
  return { elements, refused }
}

function contradiction({ kind, privateIp }: Translation, { rule, value, key }: Element): string {
  const by = rule === undefined ? 'the default SNAT' : `rule ${rule}`
  return kind === 'dnat'
    ? `${by} already translates ${key} to ${value}`
    : `${by} already gives ${privateIp} the address ${value}: two machines behind this device have the same private address`
}

export const isSame = (one: Element | undefined, other: Element): boolean =>
  one === other || (one !== undefined && one.value === other.value && one.rule === other.rule)

export type Difference = { added: readonly Element[]; removed: readonly Element[] }

/** The difference between two sets of elements. A changed value is in both lists. */
export function differenceOf(
  from: ReadonlyMap<string, Element>,
  to: ReadonlyMap<string, Element>,
): Difference {
  const lacking = (all: ReadonlyMap<string, Element>, other: ReadonlyMap<string, Element>): Element[] => {
    const some: Element[] = []
    for (const [name, element] of all) if (!isSame(other.get(name), element)) some.push(element)
    return some
  }
  return { removed: lacking(from, to), added: lacking(to, from) }
}
