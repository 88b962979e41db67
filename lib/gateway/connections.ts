import type { Element } from '#lib/gateway/elements'
import { KeptSources } from '#lib/gateway/kept-sources'
import { type Arrival, destinationsOf } from '#lib/gateway/lookup'
import { canonical, type Family, families } from '#lib/gateway/networks'
import { ProgramFailure, run, type TableLocation } from '#lib/gateway/nft'

/* Open connections of removed elements. The kernel would go on to translate them. */

/** Up to this many elements are looked for one by one. For more, the connections are listed once. */
const FEW = 30

type Enter = Pick<TableLocation, 'enter'>
type Elements = ReadonlyMap<string, Element>

async function conntrack(place: Enter, words: readonly string[]): Promise<string> {
  try {
    return await run(place, ['conntrack', ...words])
  } catch (error) {
    // conntrack exits with 1 if it found nothing.
    if (error instanceof ProgramFailure) return ''
    throw error
  }
}

/** One process for all of them. Before version 1.4.7 conntrack reads no commands, and each deletion is a process. */
async function deleteAll(place: Enter, deletions: readonly (readonly string[])[]): Promise<void> {
  const lines = deletions.map((words) => `-D ${words.join(' ')}\n`)
  try {
    if (lines.length > 1) await run(place, ['conntrack', '-R', '-'], lines.join(''))
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error
    for (const words of deletions) await conntrack(place, ['-D', ...words])
  }
  if (deletions[0] && lines.length === 1) await conntrack(place, ['-D', ...deletions[0]])
}

const versions = { ip: 'ipv4', ip6: 'ipv6' } as const

/**
 * The words by which conntrack finds the connections that the element translated. The direction of the answers shows where to: connections to
 * the same address that another rule translates stay. Undefined for elements that no words describe.
 */
function wordsOf({ family, collection, key, value = '' }: Element): string[] | undefined {
  const of = ['-f', versions[family]]
  const [address = '', protocol = '', port = ''] = key.split(' . ')
  const [target = '', targetPort = ''] = value.split(' . ')
  const tuple = [...of, '--orig-dst', address, '--reply-src', target]
  switch (collection) {
    case 'snat_hosts':
    case 'snat_default':
      return [...of, '--orig-src', address, '--reply-dst', target]
    case 'dnat_hosts':
      return tuple
    case 'dnat_protocols':
      return [...tuple, '-p', protocol]
    case 'dnat_ports':
      return [...tuple, '-p', protocol, '--orig-port-dst', port, '--reply-port-src', targetPort]
    default:
      return undefined
  }
}

/** A connection, by both directions of a line of `conntrack -L -o extended`. */
type Connection = { protocol: string; source: string; sourcePort: string; packet: Arrival; reply: Reply }
/** Where the answers come from and go to. */
type Reply = { from: string; fromPort: string; to: string }

const named = (protocol: string): Arrival['protocol'] => {
  if (protocol === 'tcp') return 'TCP'
  return protocol === 'udp' ? 'UDP' : 'ANY'
}

function connectionOf(line: string): Connection {
  const words = line.trim().split(/\s+/)
  const all = (name: string) =>
    words.filter((word) => word.startsWith(`${name}=`)).map((word) => word.slice(name.length + 1))
  const [protocol = ''] = words.slice(2)
  const [source = '', from = ''] = all('src').map(canonical)
  const [target = '', to = ''] = all('dst').map(canonical)
  const [sourcePort = '', fromPort = ''] = all('sport')
  const [port] = all('dport')
  return {
    protocol,
    source,
    sourcePort,
    packet: {
      from: source,
      to: target,
      protocol: named(protocol),
      ...(port !== undefined && { port: Number(port) }),
    },
    reply: { from, fromPort, to },
  }
}

/** Whether the element leads the connection to where its answers come from. */
function isLedBy({ value = '' }: Element, { packet, reply }: Connection): boolean {
  const [target, port = packet.port] = value.split(' . ')
  return target === reply.from && (reply.fromPort === '' || Number(port) === Number(reply.fromPort))
}

/** Whether one of the removed elements translated the connection, and the elements in force do not do so. */
function isEnded(connection: Connection, removed: Elements, inForce: Elements): boolean {
  const { packet, reply } = connection
  if (destinationsOf(removed, packet).some((each) => isLedBy(each, connection))) {
    const [now] = destinationsOf(inForce, packet)
    if (!now || !isLedBy(now, connection)) return true
  }
  const family: Family = packet.from.includes(':') ? 'ip6' : 'ip'
  return ['snat_hosts', 'snat_default'].some(
    (collection) => removed.get(`${family} ${collection} ${packet.from}`)?.value === reply.to,
  )
}

/** Words that find the connection among others, from the widest to those for its port. */
function choices(connection: Connection): string[][] {
  const { protocol, source, packet, reply } = connection
  const widest =
    packet.to === reply.from
      ? ['-p', protocol, '--orig-src', source, '--reply-dst', reply.to]
      : ['-p', protocol, '--orig-dst', packet.to, '--reply-src', reply.from]
  return [widest, wordsOfPort(connection)]
}

const wordsOfPort = ({ protocol, packet, reply }: Connection): string[] => [
  ...['-p', protocol, '--orig-dst', packet.to, '--reply-src', reply.from],
  ...(packet.port === undefined ? [] : ['--orig-port-dst', String(packet.port)]),
]

const keyOf = (words: readonly string[]): string => words.join(' ')

/** As few deletions as possible, because each reads all connections. Those that stay match none of them. */
function deletionsOf(ended: readonly Connection[], staying: readonly Connection[]): string[][] {
  const kept = new Set(staying.flatMap(choices).map(keyOf))
  const atPort = Map.groupBy(staying, (each) => keyOf(wordsOfPort(each)))
  const sources = new Map<string, KeptSources>()
  const keptAt = (key: string): KeptSources => {
    const known = sources.get(key) ?? new KeptSources((atPort.get(key) ?? []).map(({ source }) => source))
    sources.set(key, known)
    return known
  }
  const chosen = ended.map((connection) => {
    const wide = choices(connection).find((words) => !kept.has(keyOf(words)))
    if (wide) return wide
    const { source, sourcePort } = connection
    const ofPort = wordsOfPort(connection)
    const network = keptAt(keyOf(ofPort)).networkWithout(source)
    const own = ['--orig-src', source, ...(sourcePort ? ['--orig-port-src', sourcePort] : [])]
    return [...ofPort, ...(network === undefined ? own : ['--orig-src', network])]
  })
  return [...new Map(chosen.map((words) => [keyOf(words), words])).values()]
}

async function endListed(
  place: Enter,
  family: Family,
  { removed, inForce }: { removed: Elements; inForce: Elements },
): Promise<void> {
  const listed = await conntrack(place, ['-L', '-o', 'extended', '-f', versions[family]])
  const connections = listed
    .split('\n')
    .filter((line) => line !== '')
    .map(connectionOf)
  const by = Map.groupBy(connections, (each) => isEnded(each, removed, inForce))
  const deletions = deletionsOf(by.get(true) ?? [], by.get(false) ?? [])
  await deleteAll(
    place,
    deletions.map((words) => ['-f', versions[family], ...words]),
  )
}

const hasIntervals = (elements: readonly Element[]): boolean =>
  elements.some(({ collection }) => /_(ranges|sources)/.test(collection))

const addressIn = ({ key }: Element): string => key.split(' ', 1)[0] ?? key

/** The DNAT elements in force at the addresses of these. */
function atAddressesOf(some: readonly Element[], inForce: Elements): Map<string, Element> {
  const addresses = new Set(some.map(addressIn))
  const found = new Map<string, Element>()
  for (const [name, element] of inForce)
    if (element.collection.startsWith('dnat_') && addresses.has(addressIn(element))) found.set(name, element)
  return found
}

/** Ends the open connections that these elements translated, unless the elements in force translate them in the same way. */
export async function endConnections(
  place: Enter,
  removed: readonly Element[],
  inForce: Elements,
): Promise<void> {
  for (const family of families) {
    const mine = removed.filter((each) => each.family === family && each.collection !== 'private')
    if (mine.length === 0) continue
    const left = atAddressesOf(mine, inForce)
    if (mine.length > FEW || hasIntervals(mine) || hasIntervals([...left.values()]))
      await endListed(place, family, {
        removed: new Map(mine.map((each) => [each.name, each])),
        inForce: left,
      })
    else
      await deleteAll(
        place,
        mine.flatMap((element) => {
          const words = wordsOf(element)
          return words ? [words] : []
        }),
      )
  }
}
