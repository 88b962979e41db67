import { expect, test } from 'vitest'
import { fullnessOf, natUseOf, percentOf } from './nat-use'

const network = (name: string, ips: number, usedIps: number, rules = 0) => ({
  links: [],
  id: 1,
  name,
  cidr: '203.0.113.0/24',
  ips,
  usedIps,
  rules,
})

test('the use of a datacenter is the sum over its networks', () => {
  const collection = [network('a', 254, 61, 20), network('b', 126, 9, 4)]
  expect(natUseOf({ links: [], collection, totalSize: 2 })).toEqual({
    networks: 2,
    counted: 2,
    ips: 380,
    usedIps: 70,
    rules: 24,
  })
})

test('it tells when not all networks were counted', () => {
  expect(natUseOf({ links: [], collection: [network('a', 1, 1)], totalSize: 340 })).toMatchObject({
    networks: 340,
    counted: 1,
  })
})

test('nothing is full that has an IP left, and nothing without IPs', () => {
  expect(percentOf({ ips: 1000, usedIps: 999 })).toBe(99)
  expect(fullnessOf({ ips: 1000, usedIps: 999 })).toBe('nearlyFull')
  expect(fullnessOf({ ips: 10, usedIps: 10 })).toBe('full')
  expect(fullnessOf({ ips: 10, usedIps: 8 })).toBe('free')
  expect(fullnessOf({ ips: 0, usedIps: 0 })).toBe('noIps')
})
