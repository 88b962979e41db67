import { expect, test } from 'vitest'
import { cidrFacts, countText } from './cidr-facts'

test('a network is described: version, size, and the addresses that are given out', () => {
  expect(cidrFacts(' 203.0.113.0/24 ')).toEqual({
    kind: 'network',
    network: '203.0.113.0/24',
    version: 4,
    size: 256n,
    assignable: 254n,
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

test.each([
  ['10.0.0.0/8', '16777216', '16777214'],
  ['203.0.113.4/31', '2', '2'],
  ['203.0.113.4/32', '1', '1'],
  ['2001:db8::/112', '65536', '65535'],
  ['2001:db8::/64', '2^64', '2^64 − 1'],
  ['2001:db8::1/128', '1', '1'],
])('%s has %s addresses, and %s for IPs', (text, size, assignable) => {
  const facts = cidrFacts(text)
  if (facts.kind !== 'network') throw new Error(`${text} is no network`)
  expect([facts.size, facts.assignable].map((count) => countText(count, String))).toEqual([size, assignable])
})

test.each([
  ['10.0.0', { problem: 'noAddress', address: '10.0.0' }],
  ['10.0.0.256/24', { problem: 'noAddress', address: '10.0.0.256' }],
  ['010.0.0.1/24', { problem: 'noAddress', address: '010.0.0.1' }],
  ['10.0.0.0', { problem: 'noLength', example: '10.0.0.0/24' }],
  ['2001:db8::/', { problem: 'noLength', example: '2001:db8::/64' }],
  ['10.0.0.0/33', { problem: 'length', most: 32 }],
  ['2001:db8::/129', { problem: 'length', most: 128 }],
  ['10.0.0.0/8/8', { problem: 'slashes' }],
])('%s is wrong', (text, problem) => {
  expect(cidrFacts(text)).toMatchObject({ kind: 'wrong', ...problem })
})

test('nothing typed is nothing wrong', () => {
  expect(cidrFacts('  ')).toEqual({ kind: 'empty' })
})
