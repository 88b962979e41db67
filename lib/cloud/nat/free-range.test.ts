import { expect, test } from 'vitest'
import { freeRange } from '#lib/cloud/nat/networks.queries'
import { parseCidr } from '#lib/ground/net/addresses'

test('the first example that overlaps nothing: for documentation, then private ones, then none', async () => {
  const asked: string[] = []
  const find = (free: RegExp) =>
    freeRange(async (cidr) => {
      asked.push(cidr)
      return !free.test(cidr)
    })
  expect(await find(/./)).toBe('203.0.113.0/24')
  expect(asked).toEqual(['203.0.113.0/24'])
  expect(await find(/^10\./)).toBe('10.200.0.0/24')
  asked.length = 0
  expect(await find(/none/)).toBeNull()
  expect(asked).toHaveLength(19)
  expect(asked.every((cidr) => parseCidr(cidr)?.hostBitsZero)).toBe(true)
})
