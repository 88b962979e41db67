import { addressKey, parseAddress } from '#lib/net/addresses'

/** Keys of addresses (see addressKey), both ends included. */
type KeyRange = { first: string; last: string }

/** How an address is written: numbers of so many hexadecimal digits in its key, the text of each in this base. */
type Form = { version: 4 | 6; numbers: number; digits: number; base: 10 | 16; most: number }

const IPV4: Form = { version: 4, numbers: 4, digits: 2, base: 10, most: 255 }
const IPV6: Form = { version: 6, numbers: 8, digits: 4, base: 16, most: 0xffff }

/**
 * The addresses that a text stands for, as ranges in their order: one address, or all whose text begins like this
 * (`10.0.1` for 10.0.1.7 and 10.0.17.1). A text without dots and colons, or one that begins no address, stands for none.
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
  // What `::` leaves out is at least two groups (RFC 5952 §4.2.2); what may follow it is open.
  const open = right === '' ? Math.min(zeros, 2) : zeros
  return groupRanges([...before, ...Array<string>(open).fill('0'), ...after], last)
}

const groupRanges = (before: string[], last: string): KeyRange[] =>
  before.every((group) => /^[\da-f]{1,4}$/.test(group)) && /^[\da-f]{0,4}$/.test(last)
    ? rangesOf(IPV6, before, last)
    : []

/** The addresses that begin with these numbers, the next of which begins like `last`. */
function rangesOf(form: Form, before: string[], last: string): KeyRange[] {
  const head = before.map((part) => hex(Number.parseInt(part, form.base), form)).join('')
  const key = (number: number, filler: '0' | 'f') =>
    `${form.version}${(head + hex(number, form)).padEnd(form.numbers * form.digits, filler)}`
  return numbersFrom(last, form).map(([low, high]) => ({ first: key(low, '0'), last: key(high, 'f') }))
}

const hex = (number: number, { digits }: Form): string => number.toString(16).padStart(digits, '0')

/** The numbers whose text begins like this: `1` for 1, 10 to 19, 100 to 199. A leading zero stands for itself. */
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
