import {
  assignable,
  type Cidr,
  cidrSize,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
} from '#lib/ground/net/addresses'

/** The reason why a text is not a network, with the values that the message needs. */
type CidrProblem = {
  problem: 'slashes' | 'noAddress' | 'noLength' | 'length'
  address: string
  example: string
  /** The largest prefix length. */
  most: number
}

/** The hint below a CIDR field while the user types. */
export type CidrFacts =
  | { kind: 'empty' }
  | ({ kind: 'wrong' } & CidrProblem)
  | { kind: 'host-bits'; network: string }
  | {
      kind: 'network'
      network: string
      version: 4 | 6
      /** The number of all addresses, and of the addresses that IPs can have. */
      size: bigint
      assignable: bigint
      first: string
      last: string
    }

export function cidrFacts(text: string): CidrFacts {
  const typed = text.trim()
  if (typed === '') return { kind: 'empty' }
  const cidr = parseCidr(typed)
  if (!cidr) return { kind: 'wrong', ...problemOf(typed) }
  const network = formatCidr(cidr)
  if (!cidr.hostBitsZero) return { kind: 'host-bits', network }
  const range = assignable(cidr)
  return {
    kind: 'network',
    network,
    version: cidr.version,
    size: cidrSize(cidr),
    assignable: cidrSize({ ...cidr, ...range } satisfies Cidr),
    first: formatAddress(cidr.version, range.first),
    last: formatAddress(cidr.version, range.last),
  }
}

// A larger number is easier to read as a power of two.
const readable = 10n ** 12n

/** Formats a number of addresses; a very large one as a power: 2^64 − 1. */
export function countText(count: bigint, write: (number: bigint) => string): string {
  if (count <= readable) return write(count)
  const power = count.toString(2).length - 1
  return count === 1n << BigInt(power) ? `2^${power}` : `2^${power + 1} − 1`
}

function problemOf(typed: string): CidrProblem {
  const [address = '', length, ...rest] = typed.split('/')
  const parsed = parseAddress(address)
  const facts = {
    address,
    example: parsed ? `${formatAddress(parsed.version, parsed.value)}/${parsed.version === 4 ? 24 : 64}` : '',
    most: parsed?.version === 4 ? 32 : 128,
  }
  if (rest.length > 0) return { problem: 'slashes', ...facts }
  if (!parsed) return { problem: 'noAddress', ...facts }
  return { problem: length ? 'length' : 'noLength', ...facts }
}
