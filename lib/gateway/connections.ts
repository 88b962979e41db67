import type { Element } from '#lib/gateway/elements'
import { ProgramFailure, run, type TableLocation } from '#lib/gateway/nft'

/* Open connections of removed elements. The kernel would go on to translate them. */

/** Up to this many elements are looked for one by one. For more, the connections are listed once. */
const FEW = 30

type Enter = Pick<TableLocation, 'enter'>

async function conntrack(place: Enter, words: readonly string[], input?: string): Promise<string> {
  try {
    return await run(place, ['conntrack', ...words], input)
  } catch (error) {
    // conntrack exits with 1 if it found nothing.
    if (error instanceof ProgramFailure) return ''
    throw error
  }
}

const versions = { ip: 'ipv4', ip6: 'ipv6' } as const

/**
 * The words by which conntrack finds the connections that the element translated. The direction of the answers shows where to: connections to
 * the same address that another rule translates stay. Undefined for the set of private addresses.
 */
function wordsOf({ family, collection, key, value = '' }: Element): string[] | undefined {
  if (collection === 'private') return undefined
  const of = ['-f', versions[family]]
  const [address = '', protocol = '', port = ''] = key.split(' . ')
  const [target = '', targetPort = ''] = value.split(' . ')
  if (collection === 'snat_hosts' || collection === 'snat_default')
    return [...of, '--orig-src', address, '--reply-dst', target]
  const tuple = [...of, '--orig-dst', address, '--reply-src', target]
  if (collection === 'dnat_hosts') return tuple
  if (collection === 'dnat_protocols') return [...tuple, '-p', protocol]
  return [...tuple, '-p', protocol, '--orig-port-dst', port, '--reply-port-src', targetPort]
}

/** Both directions of a line of `conntrack -L -o extended`. */
function tupleOf(line: string) {
  const words = line.trim().split(/\s+/)
  const all = (name: string) =>
    words.filter((word) => word.startsWith(`${name}=`)).map((word) => word.slice(name.length + 1))
  const [protocol = ''] = words.slice(2)
  return { protocol, src: all('src'), dst: all('dst'), sport: all('sport'), dport: all('dport') }
}

type Tuple = ReturnType<typeof tupleOf>

/** The keys and values of the elements that may have translated this connection. */
function makingsOf({ protocol, src, dst, dport, sport }: Tuple): string[] {
  const [[source = '', server = ''], [target = '', mapped = '']] = [src, dst]
  const host = `${target} ${server}`
  return [
    `${target} . ${protocol} . ${dport[0]} ${server} . ${sport[1]}`,
    `${target} . ${protocol} ${server}`,
    host,
    `${source} ${mapped}`,
  ]
}

const makingOf = ({ key, value }: Element): string => `${key} ${value}`

function deletionOf(version: string, { protocol, src, dst, sport, dport }: Tuple): string {
  const ports = [
    ...(sport[0] ? ['--orig-port-src', sport[0]] : []),
    ...(dport[0] ? ['--orig-port-dst', dport[0]] : []),
  ]
  return ['-D', '-f', version, '-p', protocol, '--orig-src', src[0], '--orig-dst', dst[0], ...ports].join(' ')
}

async function endMany(place: Enter, elements: readonly Element[]): Promise<void> {
  const makings = new Set(elements.filter(({ collection }) => collection !== 'private').map(makingOf))
  for (const version of Object.values(versions)) {
    const listed = await conntrack(place, ['-L', '-o', 'extended', '-f', version])
    const tuples = listed
      .split('\n')
      .filter((line) => line !== '')
      .map(tupleOf)
    const ended = tuples.filter((tuple) => makingsOf(tuple).some((making) => makings.has(making)))
    for (const tuple of ended) await conntrack(place, deletionOf(version, tuple).split(' '))
  }
}

/** Ends the open connections that these elements translated. */
export async function endConnections(place: Enter, elements: readonly Element[]): Promise<void> {
  if (elements.length > FEW) return endMany(place, elements)
  for (const element of elements) {
    const words = wordsOf(element)
    if (words) await conntrack(place, ['-D', ...words])
  }
}
