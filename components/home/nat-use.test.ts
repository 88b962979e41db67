import { expect, test } from 'vitest'
import { natUseOf } from './nat-use'

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
    nearlyFull: [],
  })
})

test('networks with hardly an IP left come out, the fullest first; an empty one is not full', () => {
  const collection = [
    network('half', 10, 5),
    network('ninety', 10, 9),
    network('empty', 0, 0),
    network('full', 10, 10),
  ]
  const { nearlyFull } = natUseOf({ links: [], collection, totalSize: 4 })
  expect(nearlyFull.map(({ name }) => name)).toEqual(['full', 'ninety'])
})

test('it tells when not all networks were counted', () => {
  expect(natUseOf({ links: [], collection: [network('a', 1, 1)], totalSize: 340 })).toMatchObject({
    networks: 340,
    counted: 1,
  })
})
