import { expect, test } from 'vitest'
import { addableOf, fullnessOf, percentOf } from './nat-use'

test('a network is full only if no address is left that could be in use', () => {
  expect(percentOf({ assignable: 1000, usedIps: 999 })).toBe(99)
  expect(fullnessOf({ assignable: 1000, usedIps: 999 })).toBe('nearlyFull')
  expect(fullnessOf({ assignable: 10, usedIps: 10 })).toBe('full')
  expect(fullnessOf({ assignable: 0, usedIps: 0 })).toBe('free')
  expect(fullnessOf({ assignable: undefined, usedIps: 7 })).toBe('free')
})

test('one of fourteen addresses is little use, even if no other was added', () => {
  expect(percentOf({ assignable: 14, usedIps: 1 })).toBe(7)
  expect(fullnessOf({ assignable: 14, usedIps: 1 })).toBe('free')
})

test('a network is nearly full from 80 % on', () => {
  expect(fullnessOf({ assignable: 10, usedIps: 8 })).toBe('nearlyFull')
  expect(fullnessOf({ assignable: 1000, usedIps: 799 })).toBe('free')
})

test('the IPs that can be added are those of the CIDR that are assigned automatically', () => {
  const cidr = '192.0.2.0/28'
  expect(addableOf({ cidr, ips: 1, assignable: 14 })).toBe(13)
  // One of two IPs is in quarantine.
  expect(addableOf({ cidr, ips: 2, assignable: 13 })).toBe(12)
  // The network address was added.
  expect(addableOf({ cidr, ips: 2, assignable: 15 })).toBe(13)
  expect(addableOf({ cidr, ips: 14, assignable: 14 })).toBe(0)
  expect(addableOf({ cidr: '2001:db8::/64', ips: 1, assignable: undefined })).toBeUndefined()
})
