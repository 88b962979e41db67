import { expect, test } from 'vitest'
import type { AddressCell, AddressMapDocument } from '#lib/cloud/nat/networks.schema'
import {
  addressState,
  blockFill,
  blockShares,
  blocksAround,
  cellHolding,
  cellsOf,
  hasFault,
  nextCell,
  withFaults,
  withNow,
} from './map-cells'

const held = (cidr: string): AddressCell => ({
  cidr,
  ips: 1,
  available: 1,
  attached: 0,
  quarantine: 0,
  defaultSnat: 0,
})

const map = (changes: Partial<AddressMapDocument>): AddressMapDocument => ({
  links: [],
  block: '203.0.113.0/24',
  version: 4,
  cellPrefix: 32,
  cells: [],
  ...changes,
})

test('a block of addresses has a cell for each, with or without an IP', () => {
  const cells = cellsOf(map({ cells: [held('203.0.113.7/32')] }))
  expect(cells).toHaveLength(256)
  expect(cells[7]).toMatchObject({ cidr: '203.0.113.7/32', isAddress: true, held: { ips: 1 } })
  expect(cells[8]?.held).toBeUndefined()
})

test('a large network is cut into blocks, a small one into fewer cells', () => {
  const large = cellsOf(map({ block: '10.0.0.0/8', cellPrefix: 16 }))
  expect([large.length, large[255]?.cidr, large[255]?.size]).toEqual([256, '10.255.0.0/16', 65_536n])
  expect(cellsOf(map({ block: '203.0.113.16/28' }))).toHaveLength(16)
  const v6 = cellsOf(map({ block: '2001:db8::/64', version: 6, cellPrefix: 72 }))
  expect(v6[1]).toMatchObject({ cidr: '2001:db8:0:0:100::/72', isAddress: false })
})

test('the keyboard path to a block passes the blocks around it', () => {
  expect(blocksAround('10.0.0.0/8', '10.1.2.0/24')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24'])
  expect(blocksAround('10.0.0.0/8', '10.0.0.0/8')).toEqual(['10.0.0.0/8'])
  expect(blocksAround('100.64.0.0/20', '100.64.3.0/28')).toEqual(['100.64.0.0/20', '100.64.3.0/28'])
  expect(blocksAround('10.0.0.0/8', 'nonsense')).toEqual(['10.0.0.0/8'])
  expect(blocksAround('10.0.0.0/8', '11.0.0.0/16')).toEqual(['10.0.0.0/8'])
})

test('a cell is found by its content', () => {
  const cells = cellsOf(map({ block: '10.0.0.0/8', cellPrefix: 16 }))
  expect(cellHolding(cells, '10.3.7.0/24')).toBe(3)
  expect(cellHolding(cells, '192.0.2.0/24')).toBe(-1)
})

test('the faults of the cells come later than the map, and only to the same block', () => {
  const [one, two] = [held('203.0.113.7/32'), held('203.0.113.8/32')]
  const whole = map({ cells: [one, two] })
  const faulty = map({ cells: [{ ...one, errors: 0, drifted: 1 }] })
  expect(withFaults(whole, faulty).cells).toEqual([{ ...one, errors: 0, drifted: 1 }, two])
  expect(withFaults(whole, { ...faulty, block: '203.0.113.0/25' })).toEqual(whole)
  const marks = cellsOf(withFaults(whole, faulty)).flatMap((cell) => (hasFault(cell) ? [cell.cidr] : []))
  expect(marks).toEqual(['203.0.113.7/32'])
})

test('compared with now, the cells that differ have what they are now', () => {
  const [same, other] = [held('203.0.113.7/32'), held('203.0.113.8/32')]
  const cells = cellsOf(map({ cells: [same, other] }))
  const present = map({ cells: [same, { ...other, attached: 1 }, held('203.0.113.9/32')] })
  const changed = withNow(cells, present).filter(({ now }) => now)
  expect(changed.map(({ cidr }) => cidr)).toEqual(['203.0.113.8/32', '203.0.113.9/32'])
  expect(changed[1]?.now?.held?.ips).toBe(1)
})

test.each([
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 0, 0],
  ['ArrowUp', 20, 4],
  ['ArrowDown', 245, 245],
  ['ArrowDown', 20, 36],
  ['Home', 20, 16],
  ['End', 20, 31],
  ['PageUp', 20, 4],
  ['PageDown', 20, 244],
  ['a', 20, undefined],
])('%s leads from cell %s to %s', (key, at, target) => {
  expect(nextCell(key, { at, count: 256, columns: 16, toEdge: false })).toBe(target)
})

test('with the control key Home and End lead to the ends of the map', () => {
  const ends = ['Home', 'End'].map((key) => nextCell(key, { at: 20, count: 256, columns: 16, toEdge: true }))
  expect(ends).toEqual([0, 255])
})

test('the keyboard stays in the map in an incomplete last row', () => {
  const place = { count: 10, columns: 8, toEdge: false }
  expect(nextCell('End', { at: 8, ...place })).toBe(9)
  expect(nextCell('ArrowDown', { at: 5, ...place })).toBe(5)
  expect(nextCell('PageDown', { at: 5, ...place })).toBe(5)
})

const holding = (changes: Partial<AddressCell>): AddressCell => ({
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
  ['free', holding({})],
  ['attached', holding({ attached: 1 })],
  ['default', holding({ attached: 1, defaultSnat: 1 })],
  ['unavailable', holding({ available: 0, attached: 1 })],
  ['quarantine', holding({ quarantine: 1, available: 0 })],
])('an address is %s', (state, cell) => {
  expect(addressState({ cidr: '203.0.113.7/32', isAddress: true, size: 1n, held: cell })).toBe(state)
})

test('a block is shared out between the states of its IPs', () => {
  const shares = blockShares(holding({ ips: 10, available: 9, attached: 4, defaultSnat: 1, quarantine: 1 }))
  expect(shares).toEqual([
    { state: 'attached', part: 0.3 },
    { state: 'default', part: 0.1 },
    { state: 'free', part: 0.4 },
    { state: 'unavailable', part: 0.1 },
    { state: 'quarantine', part: 0.1 },
  ])
})

test('counts that overlap are shared out as well', () => {
  const parts = blockShares(holding({ ips: 2, available: 0, attached: 2, quarantine: 2 })).map(
    ({ part }) => part,
  )
  expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(1)
})

test('a block shows the share of its IPs, at least one visible', () => {
  expect(blockFill(128, 256n)).toBe(0.5)
  expect(blockFill(1, 65_536n)).toBeGreaterThan(0.1)
})
