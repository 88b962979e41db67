import {
  assignable,
  type Cidr,
  cidrSize,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
} from '#lib/nat/addresses'

/** What a form can say about a CIDR while it is typed. */
export type CidrFacts =
  | { kind: 'empty' }
  | { kind: 'wrong'; reason: string }
  | { kind: 'host-bits'; network: string }
  | {
      kind: 'network'
      network: string
      version: 4 | 6
      size: string
      given: string
      first: string
      last: string
    }

export function cidrFacts(text: string): CidrFacts {
  const typed = text.trim()
  if (typed === '') return { kind: 'empty' }
  const cidr = parseCidr(typed)
  if (!cidr) return { kind: 'wrong', reason: whatIsWrong(typed) }
  const network = formatCidr(cidr)
  if (!cidr.hostBitsZero) return { kind: 'host-bits', network }
  const given = assignable(cidr)
  return {
    kind: 'network',
    network,
    version: cidr.version,
    size: countText(cidr),
    given: countText({ ...cidr, ...given }),
    first: formatAddress(cidr.version, given.first),
    last: formatAddress(cidr.version, given.last),
  }
}

// Beyond this a number in full tells less than its power of two.
const readable = 10n ** 12n

function countText(range: Cidr): string {
  const size = cidrSize(range)
  if (size <= readable) return size.toLocaleString()
  const power = size.toString(2).length - 1
  return size === 1n << BigInt(power) ? `2^${power}` : `2^${power + 1} − 1`
}

function whatIsWrong(typed: string): string {
  const [address = '', length, ...rest] = typed.split('/')
  if (rest.length > 0) return 'Only one “/” may stand in a network.'
  const parsed = parseAddress(address)
  if (!parsed) return `“${address}” is no IPv4 or IPv6 address.`
  if (length === undefined || length === '')
    return `Add a “/” and the length of the prefix, for example ${example(parsed)}.`
  return `The length of the prefix is a number from 0 to ${parsed.version === 4 ? 32 : 128}.`
}

const example = ({ version, value }: { version: 4 | 6; value: bigint }): string =>
  `${formatAddress(version, value)}/${version === 4 ? 24 : 64}`
