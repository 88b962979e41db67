import { expect, test } from 'vitest'
import { cidrFacts } from './cidr-facts'

test('a network is described: version, size, and the addresses that are given out', () => {
  expect(cidrFacts(' 203.0.113.0/24 ')).toEqual({
    kind: 'network',
    network: '203.0.113.0/24',
    version: 4,
    size: '256',
    given: '254',
    first: '203.0.113.1',
    last: '203.0.113.254',
  })
})

test('an address within a network leads to the network', () => {
  expect(cidrFacts('203.0.113.7/24')).toEqual({ kind: 'host-bits', network: '203.0.113.0/24' })
})

test('IPv6 in any spelling comes out canonical', () => {
  expect(cidrFacts('2001:DB8:0:0::/64')).toMatchObject({ network: '2001:db8::/64', version: 6 })
})

const number = (value: number) => value.toLocaleString()

test.each([
  ['10.0.0.0/8', number(16_777_216), number(16_777_214)],
  ['203.0.113.4/31', '2', '2'],
  ['203.0.113.4/32', '1', '1'],
  ['2001:db8::/112', number(65_536), number(65_535)],
  ['2001:db8::/64', '2^64', '2^64 − 1'],
  ['2001:db8::1/128', '1', '1'],
])('%s holds %s addresses and gives out %s', (text, size, given) => {
  expect(cidrFacts(text)).toMatchObject({ size, given })
})

test.each([
  ['10.0.0', '“10.0.0” is no IPv4 or IPv6 address.'],
  ['10.0.0.256/24', '“10.0.0.256” is no IPv4 or IPv6 address.'],
  ['010.0.0.1/24', '“010.0.0.1” is no IPv4 or IPv6 address.'],
  ['10.0.0.0', 'Add a “/” and the length of the prefix, for example 10.0.0.0/24.'],
  ['2001:db8::/', 'Add a “/” and the length of the prefix, for example 2001:db8::/64.'],
  ['10.0.0.0/33', 'The length of the prefix is a number from 0 to 32.'],
  ['2001:db8::/129', 'The length of the prefix is a number from 0 to 128.'],
  ['10.0.0.0/8/8', 'Only one “/” may stand in a network.'],
])('%s is wrong: %s', (text, reason) => {
  expect(cidrFacts(text)).toEqual({ kind: 'wrong', reason })
})

test('nothing typed is nothing wrong', () => {
  expect(cidrFacts('  ')).toEqual({ kind: 'empty' })
})
