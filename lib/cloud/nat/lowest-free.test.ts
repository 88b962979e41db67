import { expect, test } from 'vitest'
import { lowestFree } from './lowest-free'

const cell = (cidr: string, ips: number) => ({
  cidr,
  ips,
  available: 0,
  attached: 0,
  quarantine: 0,
  defaultSnat: 0,
})
const single = (block: string, ...cells: ReturnType<typeof cell>[]) => ({
  block,
  version: 4 as const,
  cellPrefix: 32,
  cells,
})

test('the lowest free address is the first assignable one that is no IP', () => {
  expect(lowestFree(single('192.0.2.0/29'), '192.0.2.0/29')).toEqual({ address: '192.0.2.1' })
  const two = [cell('192.0.2.1/32', 1), cell('192.0.2.2/32', 1)]
  expect(lowestFree(single('192.0.2.0/29', ...two), '192.0.2.0/29')).toEqual({ address: '192.0.2.3' })
})

test('a full network has none: neither its own address nor the broadcast address is free', () => {
  const six = [1, 2, 3, 4, 5, 6].map((last) => cell(`192.0.2.${last}/32`, 1))
  expect(lowestFree(single('192.0.2.0/29', ...six), '192.0.2.0/29')).toBeUndefined()
})

test('of a block of blocks it is in the first one with room', () => {
  const blocks = { block: '10.0.0.0/16', version: 4 as const, cellPrefix: 24 }
  const full = cell('10.0.0.0/24', 255)
  expect(lowestFree({ ...blocks, cells: [full] }, '10.0.0.0/16')).toEqual({ address: '10.0.1.0' })
  const some = cell('10.0.1.0/24', 3)
  expect(lowestFree({ ...blocks, cells: [full, some] }, '10.0.0.0/16')).toEqual({ block: '10.0.1.0/24' })
})
