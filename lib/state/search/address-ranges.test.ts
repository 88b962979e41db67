import { expect, test } from 'vitest'
import { addressKey, addressOfKey, parseAddress } from '#lib/ground/net/addresses'
import { addressRanges } from '#lib/state/search/address-ranges'

const rangesOf = (text: string): string[] =>
  addressRanges(text).map(({ first, last }) =>
    first === last ? addressOfKey(first) : `${addressOfKey(first)} - ${addressOfKey(last)}`,
  )

test('a whole IPv4 address comes before addresses that begin like it', () => {
  expect(rangesOf('192.0.2.255')).toEqual(['192.0.2.255'])
  expect(rangesOf('192.0.2.7')).toEqual(['192.0.2.7', '192.0.2.70 - 192.0.2.79'])
  expect(rangesOf('192.0.2.2')).toEqual(['192.0.2.2', '192.0.2.20 - 192.0.2.29', '192.0.2.200 - 192.0.2.255'])
})

test('the beginning of an IPv4 address matches all that begin so', () => {
  expect(rangesOf('10.')).toEqual(['10.0.0.0 - 10.255.255.255'])
  expect(rangesOf('10.1')).toEqual([
    '10.1.0.0 - 10.1.255.255',
    '10.10.0.0 - 10.19.255.255',
    '10.100.0.0 - 10.199.255.255',
  ])
  expect(rangesOf('10.0.0')).toEqual(['10.0.0.0 - 10.0.0.255'])
  expect(rangesOf('10.0.31.')).toEqual(['10.0.31.0 - 10.0.31.255'])
})

test('a whole IPv6 address comes before addresses that begin like it, in any spelling', () => {
  expect(rangesOf('2001:db8::1')).toEqual([
    '2001:db8::1',
    '2001:db8::10 - 2001:db8::1f',
    '2001:db8::100 - 2001:db8::1ff',
    '2001:db8::1000 - 2001:db8::1fff',
  ])
  expect(rangesOf('2001:0DB8:0:0:0:0:0:abcd')).toEqual(['2001:db8::abcd'])
  expect(rangesOf('::1')[0]).toBe('::1')
  expect(rangesOf('::ffff:192.0.2.1')).toEqual(['::ffff:c000:201'])
})

test('the beginning of an IPv6 address matches all that begin so', () => {
  const ends = 'ffff:ffff:ffff:ffff'
  expect(rangesOf('2001:db8:')).toEqual([`2001:db8:: - 2001:db8:ffff:ffff:${ends}`])
  expect(rangesOf('2001:db8::')).toEqual([`2001:db8:: - 2001:db8::${ends}`])
  expect(rangesOf('2001:db')[0]).toBe(`2001:db:: - 2001:db:ffff:ffff:${ends}`)
  expect(rangesOf('2001:db')).toHaveLength(3)
  expect(rangesOf('fe80::1:')).toEqual(['fe80::1:0 - fe80::1:ffff'])
})

test('every beginning of an address that has a dot or a colon finds it', () => {
  for (const address of ['10.0.100.207', '2001:db8::ab', '2001:db8:1:2:3:4:5:6', 'fe80::']) {
    const parsed = parseAddress(address)
    const key = parsed && addressKey(parsed.version, parsed.value)
    for (let length = address.search(/[^:][.:]/) + 2; length <= address.length; length += 1) {
      const ranges = addressRanges(address.slice(0, length))
      const found = ranges.some(({ first, last }) => key && first <= key && key <= last)
      expect([address.slice(0, length), found]).toEqual([address.slice(0, length), true])
    }
  }
})

test('a text that starts no address matches none', () => {
  for (const text of [
    '',
    '10',
    'web',
    '10.0.0.0.',
    '...',
    '10.256',
    '10.01',
    '1..2',
    '.1',
    '10.0.0.7/24',
    'a.b',
  ])
    expect([text, rangesOf(text)]).toEqual([text, []])
  for (const text of [
    ':',
    '2001:db8::1::',
    'gggg:',
    '12345:',
    '1:2:3:4:5:6:7:8:',
    '1:2:3:4:5:6:7:8:9',
    'a::b::c',
  ])
    expect([text, rangesOf(text)]).toEqual([text, []])
})
