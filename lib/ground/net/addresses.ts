import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** An IPv4 or IPv6 network; `first` and `last` are its lowest and highest address as numbers. */
export type Cidr = { version: 4 | 6; first: bigint; last: bigint; prefix: number }

const width = (version: 4 | 6): number => (version === 4 ? 32 : 128)

const toNumber = (address: ipaddr.IPv4 | ipaddr.IPv6): bigint =>
  BigInt(
    `0x${address
      .toByteArray()
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')}`,
  )

/** Reads dotted IPv4 or any RFC 4291 spelling of IPv6; undefined for anything else (octal, short forms, zone ids). */
export function parseAddress(text: string): { version: 4 | 6; value: bigint } | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return { version: 4, value: toNumber(ipaddr.IPv4.parse(text)) }
  const groups = withoutDottedTail(text)
  if (groups.includes(':') && !groups.includes('%') && ipaddr.IPv6.isValid(groups)) {
    return { version: 6, value: toNumber(ipaddr.IPv6.parse(groups)) }
  }
  return undefined
}

/** `::1.2.3.4` → `::102:304` (RFC 4291 §2.2.3). The library confuses this with `::ffff:1.2.3.4`, and accepts octal parts. */
function withoutDottedTail(text: string): string {
  const [, head, tail] = /^(.*:)(\d*\.[\d.]*)$/.exec(text) ?? []
  if (head === undefined || tail === undefined) return text
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return ''
  const hex = toNumber(ipaddr.IPv4.parse(tail)).toString(16).padStart(8, '0')
  return `${head}${hex.slice(0, 4)}:${hex.slice(4)}`
}

/** Canonical text: dotted IPv4, RFC 5952 IPv6. */
export function formatAddress(version: 4 | 6, value: bigint): string {
  const hex = value.toString(16).padStart(width(version) / 4, '0')
  const bytes = hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []
  return version === 4 ? new ipaddr.IPv4(bytes).toString() : new ipaddr.IPv6(bytes).toRFC5952String()
}

/** A text that sorts in the numeric order of addresses, IPv4 before IPv6: '4' + 8 hex digits or '6' + 32. */
export const addressKey = (version: 4 | 6, value: bigint): string =>
  `${version}${value.toString(16).padStart(width(version) / 4, '0')}`

export function addressKeyOf(text: unknown): string | undefined {
  const parsed = typeof text === 'string' ? parseAddress(text) : undefined
  return parsed && addressKey(parsed.version, parsed.value)
}

/** The canonical text of the address with this key. */
export const addressOfKey = (key: string): string =>
  formatAddress(key.startsWith('4') ? 4 : 6, BigInt(`0x${key.slice(1)}`))

const octets = Array.from({ length: 256 }, (_, octet) => String(octet))

/** Keys of addresses, both ends included. */
export type KeyRange = { first: string; last: string }

/** Sorts after every character of a key. */
export const END = '~'

/** The keys of a range, for comparison: not below `from`, and below `to`. Empty: no bound. */
export type KeyBounds = { from: string; to: string }

export const NO_BOUNDS: KeyBounds = { from: '', to: '' }

/**
 * The ranges of all IPv4 addresses whose text contains the word, if the word has three dots and begins with a digit: `1.2.3.4` matches
 * 1.2.3.4, 1.2.3.40 to 1.2.3.49, 11.2.3.4 and so on. Undefined for other words, which no ranges describe.
 */
export function keyRangesOf(word: string): KeyRange[] | undefined {
  const [, start, second = '', third = '', end = ''] = /^(\d+)\.(\d+)\.(\d+)\.(\d*)$/.exec(word) ?? []
  if (start === undefined) return undefined
  if (!octets.includes(second) || !octets.includes(third)) return []
  const keyOf = (octet: string, last: number) =>
    `4${[octet, second, third, last].map((each) => Number(each).toString(16).padStart(2, '0')).join('')}`
  const runs = runsOf(octets.filter((octet) => octet.startsWith(end)).map(Number))
  return octets
    .filter((octet) => octet.endsWith(start))
    .flatMap((octet) =>
      runs.map(([first, last]) => ({ first: keyOf(octet, first), last: keyOf(octet, last) })),
    )
}

/** Groups ascending numbers into runs without gaps. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run?.[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** Reads `address/prefix`; host bits may be set (see `hostBitsZero`). Undefined if the text is not a network. */
export function parseCidr(text: string): (Cidr & { hostBitsZero: boolean }) | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  const parsed = parseAddress(address)
  if (!parsed || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  const prefix = Number(length)
  const bits = width(parsed.version)
  if (prefix > bits) return undefined
  const hosts = (1n << BigInt(bits - prefix)) - 1n
  const first = parsed.value & ~hosts
  return { version: parsed.version, first, last: first | hosts, prefix, hostBitsZero: first === parsed.value }
}

/** Addresses of one family, both ends included. */
export type AddressRange = { version: 4 | 6; first: bigint; last: bigint }

/** Reads an address, a CIDR (host bits may be set) or `FIRST-LAST`. Undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  if (text.includes('/')) return parseCidr(text)
  const [first = '', last = first, ...rest] = text.split('-').map((end) => end.trim())
  const [low, high] = [parseAddress(first), parseAddress(last)]
  if (!low || !high || rest.length > 0 || low.version !== high.version || low.value > high.value)
    return undefined
  return { version: low.version, first: low.value, last: high.value }
}

/** Canonical text: an address, the CIDR with exactly these addresses, or `FIRST-LAST`. */
export function formatRange({ version, first, last }: AddressRange): string {
  if (first === last) return formatAddress(version, first)
  const hosts = (last - first).toString(2)
  const isCidr = !hosts.includes('0') && (first & (last - first)) === 0n
  if (isCidr) return `${formatAddress(version, first)}/${width(version) - hosts.length}`
  return `${formatAddress(version, first)}-${formatAddress(version, last)}`
}

/** A CIDR or `FIRST-LAST` in canonical form; a range of one address stays a CIDR. Undefined for an address, and for other texts. */
export function rangeWord(text: string): string | undefined {
  const range = /[/-]/.test(text) ? parseRange(text.trim()) : undefined
  if (!range) return undefined
  const word = formatRange(range)
  return range.first === range.last ? `${word}/${width(range.version)}` : word
}

/** The range that the beginning of an address may mean: `10.1.2`, `10.1.2.`, `10.1.2.*`, `10.1.2.0-255` or `2001:db8:`. */
export function rangeMeant(text: string): string | undefined {
  const typed = text.trim()
  const [, head, low, high] = /^((?:\d+\.){3})(\d+)-(\d+)$/.exec(typed) ?? []
  if (head !== undefined) return rangeWord(`${head}${low}-${head}${high}`)
  const octets = typed.replace(/(\.\*){1,3}$|\.$/, '').split('.')
  if (octets.length > 1 && octets.length < 4 && octets.every((octet) => /^\d+$/.test(octet)))
    return rangeWord(`${[...octets, '0', '0'].slice(0, 4).join('.')}/${8 * octets.length}`)
  const groups = /^((?:[\da-f]{1,4}:){1,7}):?$/i.exec(typed)?.[1]?.slice(0, -1).split(':')
  return (
    groups &&
    rangeWord(`${[...groups, ...Array<string>(8).fill('0')].slice(0, 8).join(':')}/${16 * groups.length}`)
  )
}

/** The number of addresses of a range, as a power of two where it has very many. */
export function sizeOfRange(text: string, format: (size: number) => string): string {
  const range = parseRange(text)
  const size = range ? range.last - range.first + 1n : 0n
  return size <= 2n ** 32n ? format(Number(size)) : `≈ 2^${size.toString(2).length - 1}`
}

/** The bounds of the keys of a range in any spelling; no bounds for another text. */
export function boundsOf(text: string | undefined): KeyBounds {
  const range = text === undefined ? undefined : parseRange(text)
  if (!range) return NO_BOUNDS
  const { version, first, last } = range
  return { from: addressKey(version, first), to: `${addressKey(version, last)}${END}` }
}

export const formatCidr = (cidr: Cidr): string => `${formatAddress(cidr.version, cidr.first)}/${cidr.prefix}`

export const cidrSize = (cidr: Cidr): bigint => cidr.last - cidr.first + 1n

/**
 * The addresses that are assigned automatically. Excludes the network and broadcast address of an IPv4 network, except in /31 and /32, and
 * the lowest address of an IPv6 network (RFC 4291 §2.6.1: the routers' anycast address).
 */
export function assignable(cidr: Cidr): { first: bigint; last: bigint } {
  if (cidr.prefix >= width(cidr.version) - 1) return { first: cidr.first, last: cidr.last }
  return { first: cidr.first + 1n, last: cidr.version === 4 ? cidr.last - 1n : cidr.last }
}

/** An address in the API and in forms. Returns the canonical text. */
export const addressText = z
  .string()
  .transform((value, context) => {
    const parsed = parseAddress(value.trim())
    if (parsed) return formatAddress(parsed.version, parsed.value)
    const message = `${value.slice(0, 64)} is not an IPv4 or IPv6 address`
    context.addIssue({ code: 'custom', params: { code: 'CONSTR-PATTERN', message }, message, input: value })
    return z.NEVER
  })
  .meta({ description: 'An IPv4 or IPv6 address' })

/** A range of addresses as a filter. Returns the canonical text. */
export const rangeText = (name: string, only: string) =>
  z
    .string()
    .transform((value, context) => {
      const range = parseRange(value.trim())
      if (range) return formatRange(range)
      const message = `${name} must be an address, a CIDR or FIRST-LAST of one family, not ${value.slice(0, 64)}`
      context.addIssue({ code: 'custom', message, input: value })
      return z.NEVER
    })
    .meta({ description: `${only}: an address, a CIDR, or \`FIRST-LAST\`` })

/** A CIDR in the API and in forms. Returns the canonical text. */
export const cidrText = z.string().transform((value, context) => {
  const cidr = parseCidr(value.trim())
  if (cidr?.hostBitsZero) return formatCidr(cidr)
  const message = cidr
    ? `The host part of ${value} is not zero: did you mean ${formatCidr(cidr)}?`
    : `Invalid format for the network CIDR: ${value.slice(0, 64)}`
  context.addIssue({ code: 'custom', params: { code: 'NAT-NET-5', message }, message, input: value })
  return z.NEVER
})
