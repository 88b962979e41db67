import { isIPv4, isIPv6 } from 'node:net'

/* Addresses and networks in the one form that the elements have. */

export type Family = 'ip' | 'ip6'
export const families = ['ip', 'ip6'] as const

export const familyOf = (address: string): Family | undefined => {
  if (isIPv4(address)) return 'ip'
  // A packet's address contains no zone.
  return isIPv6(address) && !address.includes('%') ? 'ip6' : undefined
}

/** One form for each address: hexadecimal, and the shortest of RFC 5952. */
export const canonical = (address: string): string =>
  isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1)

const bitsOf: Record<Family, number> = { ip: 32, ip6: 128 }

/** The number of a valid address. */
export function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
  const [head = [], tail = []] = canonical(address)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

/** `text` is as nft lists it: a network of one address has no prefix length. */
export type Network = { family: Family; text: string; first: bigint; last: bigint }

/** Reads an address, or a CIDR whose host bits are zero. Undefined for anything else. */
export function networkOf(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const family = familyOf(address)
  if (!family || rest.length > 0 || !/^\d{1,3}$/.test(length ?? '0')) return undefined
  const bits = bitsOf[family]
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return undefined
  const first = numberOf(address)
  const hosts = (1n << BigInt(bits - prefix)) - 1n
  if ((first & hosts) !== 0n) return undefined
  const name = canonical(address)
  return { family, text: prefix === bits ? name : `${name}/${prefix}`, first, last: first | hosts }
}

/** Without networks that others contain: nft refuses elements that overlap. */
export function outermost(networks: readonly Network[]): Network[] {
  const kept: Network[] = []
  const size = ({ first, last }: Network) => last - first
  const widestFirst = networks.toSorted((one, other) => (size(one) < size(other) ? 1 : -1))
  for (const network of widestFirst)
    if (!kept.some(({ first, last }) => first <= network.first && network.last <= last)) kept.push(network)
  return kept
}
