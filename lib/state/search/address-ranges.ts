import { addressKey, parseAddress } from '#lib/ground/net/addresses'

/** Keys of addresses (see addressKey), both ends included. */
type KeyRange = { first: string; last: string }

/** The notation of an address: `digits` hexadecimal digits of the key for each number, and the base of its text. */
type Form = { version: 4 | 6; numbers: number; digits: number; base: 10 | 16; most: number }

const IPV4: Form = { version: 4, numbers: 4, digits: 2, base: 10, most: 255 }
const IPV6: Form = { version: 6, numbers: 8, digits: 4, base: 16, most: 0xffff }

/**
 * Ranges of the addresses that match a text, in order: one address, or all whose text starts with it (`10.0.1` matches 10.0.1.7 and
 * 10.0.17.1). A text without dots and colons, or one that starts no address, matches none.
 */
export function addressRanges(text: string): KeyRange[] {
  const found = text.includes(':') ? sixRanges(text.toLowerCase()) : fourRanges(text)
  if (found.length > 0) return found
  const exact = parseAddress(text)
  const key = exact && addressKey(exact.version, exact.value)
  return key === undefined ? [] : [{ first: key, last: key }]
}

function fourRanges(text: string): KeyRange[] {
  const parts = text.split('.')
  if (parts.length < 2 || parts.length > 4) return []
  if (!parts.slice(0, -1).every(isOctet) || !isOctet(parts.at(-1) || '0')) return []
  return rangesOf(IPV4, parts.slice(0, -1), parts.at(-1) ?? '')
}

const isOctet = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= IPV4.most

function sixRanges(text: string): KeyRange[] {
  const [left = '', right, ...more] = text.split('::')
  const before = left === '' ? [] : left.split(':')
  if (right === undefined) {
    const last = before.pop() ?? ''
    return before.length < IPV6.numbers ? groupRanges(before, last) : []
  }
  const after = right.split(':')
  const last = after.pop() ?? ''
  const zeros = IPV6.numbers - before.length - after.length - 1
  if (more.length > 0 || zeros < 1) return []
  // RFC 5952 §4.2.2: `::` replaces at least two groups. Any groups may follow it.
  const open = right === '' ? Math.min(zeros, 2) : zeros
  return groupRanges([...before, ...Array<string>(open).fill('0'), ...after], last)
}

const groupRanges = (before: string[], last: string): KeyRange[] =>
  before.every((group) => /^[\da-f]{1,4}$/.test(group)) && /^[\da-f]{0,4}$/.test(last)
    ? rangesOf(IPV6, before, last)
    : []

/** The addresses that start with these numbers, followed by a number whose text starts with `last`. */
function rangesOf(form: Form, before: string[], last: string): KeyRange[] {
  const head = before.map((part) => hex(Number.parseInt(part, form.base), form)).join('')
  const key = (number: number, filler: '0' | 'f') =>
    `${form.version}${(head + hex(number, form)).padEnd(form.numbers * form.digits, filler)}`
  return numbersFrom(last, form).map(([low, high]) => ({ first: key(low, '0'), last: key(high, 'f') }))
}

const hex = (number: number, { digits }: Form): string => number.toString(16).padStart(digits, '0')

/** The numbers whose text starts with this: `1` matches 1, 10 to 19 and 100 to 199. A leading zero matches only itself. */
function numbersFrom(text: string, { base, most }: Form): [low: number, high: number][] {
  if (text === '') return [[0, most]]
  const ranges: [number, number][] = []
  const number = Number.parseInt(text, base)
  for (let scale = 1; number * scale <= most && ranges.length < 4; scale *= base) {
    ranges.push([number * scale, Math.min(number * scale + scale - 1, most)])
    if (text.startsWith('0')) break
  }
  return ranges
}
