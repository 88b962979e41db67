import type { Element } from '#lib/gateway/elements'
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
  const [now] = destinationsOf(inForce, packet)
  const isStill = now !== undefined && isLedBy(now, connection)
  if (!isStill && destinationsOf(removed, packet).some((each) => isLedBy(each, connection))) return true
  const family: Family = packet.from.includes(':') ? 'ip6' : 'ip'
  return ['snat_hosts', 'snat_default'].some(
    (collection) => removed.get(`${family} ${collection} ${packet.from}`)?.value === reply.to,
  )
}

/** Words that find the connection among others, from the widest to those that find it alone. */
function choices({ protocol, source, sourcePort, packet, reply }: Connection): string[][] {
  const port = packet.port === undefined ? [] : ['--orig-port-dst', String(packet.port)]
  const to = ['-p', protocol, '--orig-dst', packet.to]
  const toPort = [...to, ...port, '--reply-src', reply.from]
  const own = ['--orig-src', source, ...(sourcePort ? ['--orig-port-src', sourcePort] : [])]
  const wide =
    packet.to === reply.from
      ? [['-p', protocol, '--orig-src', source, '--reply-dst', reply.to]]
      : [[...to, '--reply-src', reply.from], toPort, [...toPort, '--orig-src', source]]
  return [...wide, [...to, ...port, ...own]]
}

/** As few deletions as possible: each starts a program. Connections that stay match none of them. */
function deletionsOf(ended: readonly Connection[], staying: readonly Connection[]): string[][] {
  const kept = new Set(staying.flatMap(choices).map((words) => words.join(' ')))
  const chosen = ended.map((connection) => {
    const all = choices(connection)
    return all.find((words) => !kept.has(words.join(' '))) ?? all.at(-1) ?? []
  })
  return [...new Map(chosen.map((words) => [words.join(' '), words])).values()]
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
  for (const words of deletionsOf(by.get(true) ?? [], by.get(false) ?? []))
    await conntrack(place, ['-D', '-f', versions[family], ...words])
}

function hasIntervals(elements: Iterable<Element>, family: Family): boolean {
  for (const each of elements)
    if (each.family === family && /_(ranges|sources)/.test(each.collection)) return true
  return false
}

/** Ends the open connections that these elements translated, unless the elements in force translate them in the same way. */
export async function endConnections(
  place: Enter,
  removed: readonly Element[],
  inForce: Elements,
): Promise<void> {
  for (const family of families) {
    const mine = removed.filter((each) => each.family === family && each.collection !== 'private')
    if (
      mine.length > FEW ||
      hasIntervals(mine, family) ||
      (mine.length > 0 && hasIntervals(inForce.values(), family))
    )
      await endListed(place, family, { removed: new Map(mine.map((each) => [each.name, each])), inForce })
    else
      for (const element of mine) {
        const words = wordsOf(element)
        if (words) await conntrack(place, ['-D', ...words])
      }
  }
}
