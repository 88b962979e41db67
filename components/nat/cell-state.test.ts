import { expect, test } from 'vitest'
import type { AddressCell } from '#lib/nat/networks.schema'
import { addressState, blockFill, blockShares } from './cell-state'

const held = (changes: Partial<AddressCell>): AddressCell => ({
  cidr: '203.0.113.7/32',
  ips: 1,
  available: 1,
  attached: 0,
  quarantine: 0,
  defaultSnat: 0,
  ...changes,
})

test.each([
  ['absent', undefined],
  ['free', held({})],
  ['attached', held({ attached: 1 })],
  ['default', held({ attached: 1, defaultSnat: 1 })],
  ['unavailable', held({ available: 0, attached: 1 })],
  ['quarantine', held({ quarantine: 1, available: 0 })],
])('an address is %s', (state, cell) => {
  expect(addressState({ cidr: '203.0.113.7/32', isAddress: true, size: 1n, held: cell })).toBe(state)
})

test('a block is shared out between the states of its IPs', () => {
  const shares = blockShares(held({ ips: 10, available: 9, attached: 4, defaultSnat: 1, quarantine: 1 }))
  expect(shares).toEqual([
    { state: 'attached', part: 0.3 },
    { state: 'default', part: 0.1 },
    { state: 'free', part: 0.4 },
    { state: 'unavailable', part: 0.1 },
    { state: 'quarantine', part: 0.1 },
  ])
})

test('counts that overlap are shared out as well', () => {
  const parts = blockShares(held({ ips: 2, available: 0, attached: 2, quarantine: 2 })).map(
    ({ part }) => part,
  )
  expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(1)
})

test('a block is filled as far as its addresses are IPs, and one IP can be seen', () => {
  expect(blockFill(128, 256n)).toBe(0.5)
  expect(blockFill(1, 65_536n)).toBeGreaterThan(0.1)
})
