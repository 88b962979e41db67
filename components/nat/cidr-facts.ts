import {
  assignable,
  type Cidr,
  cidrSize,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
} from '#lib/net/addresses'

/** What keeps a text from being a network, with what a reader needs to mend it. */
export type CidrProblem =
  | { problem: 'slashes' }
  | { problem: 'address'; address: string }
  | { problem: 'noLength'; example: string }
  | { problem: 'length'; most: 32 | 128 }

/** What a form can say about a CIDR while it is typed. */
export type CidrFacts =
  | { kind: 'empty' }
  | ({ kind: 'wrong' } & CidrProblem)
  | { kind: 'host-bits'; network: string }
  | {
      kind: 'network'
      network: string
      version: 4 | 6
      /** How many addresses it has, and how many of them are given out by themselves. */
      size: bigint
      given: bigint
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
  const given = assignable(cidr)
  return {
    kind: 'network',
    network,
    version: cidr.version,
    size: cidrSize(cidr),
    given: cidrSize({ ...cidr, ...given } satisfies Cidr),
    first: formatAddress(cidr.version, given.first),
    last: formatAddress(cidr.version, given.last),
  }
}

// Beyond this a number in full tells less than its power of two.
const readable = 10n ** 12n

/** A number of addresses: 2^64 − 1 where its figures would be too many to read. */
export function countText(count: bigint, write: (number: bigint) => string): string {
  if (count <= readable) return write(count)
  const power = count.toString(2).length - 1
  return count === 1n << BigInt(power) ? `2^${power}` : `2^${power + 1} − 1`
}

function problemOf(typed: string): CidrProblem {
  const [address = '', length, ...rest] = typed.split('/')
  if (rest.length > 0) return { problem: 'slashes' }
  const parsed = parseAddress(address)
  if (!parsed) return { problem: 'address', address }
  if (length === undefined || length === '') return { problem: 'noLength', example: example(parsed) }
  return { problem: 'length', most: parsed.version === 4 ? 32 : 128 }
}

const example = ({ version, value }: { version: 4 | 6; value: bigint }): string =>
  `${formatAddress(version, value)}/${version === 4 ? 24 : 64}`
