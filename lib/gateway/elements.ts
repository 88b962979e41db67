import { isIPv4 } from 'node:net'
import { canonical, type Family, familyOf, networkOf, outermost } from '#lib/gateway/networks'
import type { Span } from '#lib/gateway/spans'

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
  /** The last port of a range. Each port stays as it is where `privatePort` is `natPort`; else all become `privatePort`. */
  natPortEnd?: number
  /** CIDRs. Missing or empty: every source. */
  sources?: readonly string[]
  privateIp: string
  privatePort?: number
}

/**
 * The maps of a table, and the set of private addresses, in the order in which the chains ask them. Names with `ranges` and `sources` have
 * intervals as keys; names with `to_port` have a port in the value, and others leave it as it is.
 */
export const collections = [
  'dnat_ports',
  'dnat_ranges',
  'dnat_ranges_to_port',
  'dnat_sources',
  'dnat_sources_to_port',
  'dnat_protocols',
  'dnat_hosts_sources',
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

export const nameOf = ({ family, collection, key }: Pick<Element, 'family' | 'collection' | 'key'>): string =>
  `${family} ${collection} ${key}`

const isPort = (port: number | undefined): port is number =>
  port !== undefined && Number.isInteger(port) && port >= 1 && port <= 65_535

type Entry = Pick<Element, 'collection' | 'key' | 'value'>

const protocolsOf = (protocol: Translation['protocol']): ('tcp' | 'udp')[] => {
  if (protocol === 'TCP') return ['tcp']
  return protocol === 'UDP' ? ['udp'] : ['tcp', 'udp']
}

/** Every port, also the port 0 that a translation without ports covers. */
const ALL_PORTS = [0, 65_535] as const

const hasSources = ({ sources = [] }: Translation): boolean => sources.length > 0

const isRanged = (translation: Translation): boolean =>
  translation.kind === 'dnat' && (translation.natPortEnd !== undefined || hasSources(translation))

const portsOf = ({ natPort, natPortEnd = natPort }: Translation): readonly [number, number] =>
  natPort === undefined || natPortEnd === undefined ? ALL_PORTS : [natPort, natPortEnd]

const isForEveryProtocol = ({ protocol = 'ANY', natPort }: Translation): boolean =>
  protocol === 'ANY' && natPort === undefined

/** One element for each source. */
function rangePlaces(translation: Translation, nat: string, inner: string): Entry[] {
  const { protocol, natPort, privatePort, sources = [] } = translation
  const networks = outermost(sources.flatMap((source) => networkOf(source) ?? []))
  const suffixes = networks.length > 0 ? networks.map(({ text }) => ` . ${text}`) : ['']
  if (isForEveryProtocol(translation))
    return suffixes.map((source) => ({
      collection: 'dnat_hosts_sources',
      key: `${nat}${source}`,
      value: inner,
    }))
  const [from, to] = portsOf(translation)
  const keepsPort = from < to && (natPort === undefined || natPort === privatePort)
  const ports = from === to ? `${from}` : `${from}-${to}`
  return protocolsOf(protocol).flatMap((name) =>
    suffixes.map((source) => ({
      collection: `dnat_${networks.length > 0 ? 'sources' : 'ranges'}${keepsPort ? '' : '_to_port'}` as const,
      key: `${nat} . ${name} . ${ports}${source}`,
      value: keepsPort ? inner : `${inner} . ${privatePort}`,
    })),
  )
}

/** The ports that no other translation with intervals may have, whatever its sources. */
function spansOf(translation: Translation): Span[] {
  if (!isRanged(translation)) return []
  const [from, to] = portsOf(translation)
  const protocols = isForEveryProtocol(translation) ? ['any'] : protocolsOf(translation.protocol)
  return protocols.map((name) => ({ place: `${canonical(translation.natIp)} ${name}`, from, to }))
}

function dnatPlaces(translation: Translation, nat: string, inner: string): Entry[] {
  if (isRanged(translation)) return rangePlaces(translation, nat, inner)
  const { protocol, natPort, privatePort } = translation
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
function faultOf(translation: Translation): string | undefined {
  const { natIp, natPort, natPortEnd, privateIp, privatePort, sources = [] } = translation
  const [outside, inside] = [familyOf(natIp), familyOf(privateIp)]
  if (!outside || !inside) return `${outside ? privateIp : natIp} is not an IP address`
  if (outside !== inside) return `${natIp} and ${privateIp} are of different IP versions`
  const ports = [natPort, privatePort].filter((port) => port !== undefined)
  if (ports.length === 1 || !ports.every(isPort)) return 'one port is missing or is not between 1 and 65535'
  if (natPortEnd !== undefined && !(isPort(natPort) && isPort(natPortEnd) && natPortEnd > natPort))
    return 'the range of ports has no beginning, or its end is not a greater port'
  const faulty = sources.find((source) => networkOf(source)?.family !== outside)
  return faulty === undefined ? undefined : `${faulty} is no network of the IP version of ${natIp}`
}

/** The same order whatever the order of the document: of two that exclude each other, always the same one is in force. */
export const inOrder = (one: Translation, other: Translation): number =>
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

/** The elements of a translation in the maps, and its private address. */
export type Making = { made: Element[]; mine: Element; spans: Span[] }

const makings = new WeakMap<Translation, Making | { fault: string }>()

/** Remembered, because a change leaves most translations as they are. */
export function makingOf(translation: Translation): Making | { fault: string } {
  const known = makings.get(translation)
  if (known) return known
  const fault = faultOf(translation)
  const making =
    fault === undefined
      ? { made: elementsOfOne(translation), mine: privateOf(translation), spans: spansOf(translation) }
      : { fault }
  makings.set(translation, making)
  return making
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
