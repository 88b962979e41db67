import { expect, test } from 'vitest'
import { fullnessOf, percentOf } from './nat-use'

test('a network is full only if it has IPs and no free one', () => {
  expect(percentOf({ ips: 1000, usedIps: 999 })).toBe(99)
  expect(fullnessOf({ ips: 1000, usedIps: 999 })).toBe('nearlyFull')
  expect(fullnessOf({ ips: 10, usedIps: 10 })).toBe('full')
  expect(fullnessOf({ ips: 0, usedIps: 0 })).toBe('free')
})

test('a network is nearly full from 80 % on', () => {
  expect(fullnessOf({ ips: 10, usedIps: 8 })).toBe('nearlyFull')
  expect(fullnessOf({ ips: 1000, usedIps: 799 })).toBe('free')
})
