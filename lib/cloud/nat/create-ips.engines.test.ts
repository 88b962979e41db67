import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewIps } from '#lib/cloud/nat/ip-creation.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { parseAddress } from '#lib/ground/net/addresses'
import { call, expectStatus } from '#lib/tools/testing/client'
import { addIps, type Network, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { search, searchTime } from '#lib/tools/testing/search'

const networkOf = async (cidr: string): Promise<Network> => {
  const { id: datacenter } = await newDatacenter()
  return newNetwork({ datacenter, cidr })
}

const created = async (network: Network): Promise<string[]> => {
  const rows = await database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', network.id)
    .select('ip')
    .orderBy('ip_key')
    .execute()
  return rows.map(({ ip }) => ip)
}

const refusalOf = (ips: Promise<unknown>): Promise<string> =>
  ips.then(
    () => 'created',
    (error: unknown) => (error instanceof ApiError ? (error.faults[0]?.code ?? '') : String(error)),
  )

const runOf = (prefix: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${first + index}`)

describe('new NAT IPs are', () => {
  test('created from the lowest assignable address', async () => {
    for (const [cidr, first] of [
      ['10.0.0.0/24', '10.0.0.1'],
      ['10.0.0.0/31', '10.0.0.0'],
      ['10.0.0.7/32', '10.0.0.7'],
      ['2001:db8::/64', '2001:db8::1'],
    ] as const) {
      const network = await networkOf(cidr)
      await addIps(network, { count: 1 })
      expect(await created(network)).toEqual([first])
    }
  })

  test('refused beyond the last assignable address (NAT-IP-5)', async () => {
    const network = await networkOf('10.0.0.0/29')
    await addIps(network, { count: 6 })
    expect(await created(network)).toEqual(runOf('10.0.0.', 1, 6))
    expect(await refusalOf(addIps(network, { count: 1 }))).toBe('NAT-IP-5')
  })

  test('created in the lowest gap that is wide enough', async () => {
    const network = await networkOf('10.0.0.0/27')
    for (const from of ['10.0.0.3', '10.0.0.4', '10.0.0.8']) await addIps(network, { from, count: 1 })
    await addIps(network, { count: 3 })
    await addIps(network, { count: 2 })
    await addIps(network, { from: '10.0.0.2', count: 1 })
    expect(await created(network)).toEqual(runOf('10.0.0.', 1, 9))
    await addIps(network, { count: 2 })
    expect((await created(network)).slice(-2)).toEqual(['10.0.0.10', '10.0.0.11'])
  })

  test('created all or none', async () => {
    const network = await networkOf('10.0.0.0/28')
    await addIps(network, { from: '10.0.0.6', count: 1 })
    expect(await refusalOf(addIps(network, { count: 9 }))).toBe('NAT-IP-5')
    expect(await created(network)).toEqual(['10.0.0.6'])
    const path = `${networksPath(network.datacenter)}/${network.id}`
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ ips: 1 })
  })

  test('refused outside the network (NAT-IP-9)', async () => {
    const network = await networkOf('10.0.0.0/24')
    for (const from of ['10.0.1.0', '9.255.255.255', '2001:db8::1', '::a00:1', 'somewhere']) {
      expect(await refusalOf(addIps(network, { from, count: 1 }))).toBe('NAT-IP-9')
    }
  })

  test('created by the thousand, around existing ones', async () => {
    const network = await networkOf('10.0.0.0/20')
    await addIps(network, { from: '10.0.4.0', count: 1500 })
    await addIps(network, { count: 1100 })
    const ips = await created(network)
    expect(ips).toHaveLength(2600)
    expect(ips[0]).toBe('10.0.4.0')
    expect(ips.at(-1)).toBe('10.0.14.39')
    expect(new Set(ips).size).toBe(2600)
  })

  test('created up to the last assignable address', async () => {
    const network = await networkOf('255.255.240.0/20')
    await addIps(network, { from: '255.255.252.23', count: 1000 })
    expect((await created(network)).at(-1)).toBe('255.255.255.254')
    expect(await refusalOf(addIps(network, { from: '255.255.252.23', count: 1 }))).toBe('NAT-IP-5')
  })

  test('different for simultaneous requests', async () => {
    const network = await networkOf('10.0.0.0/26')
    const requests = Array.from({ length: 8 }, () => addIps(network, { count: 3 }))
    await Promise.all(requests)
    expect(await created(network)).toEqual(runOf('10.0.0.', 1, 24))
    const path = `${networksPath(network.datacenter)}/${network.id}`
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ ips: 24 })
  })
})

test('IPs are created in the lowest free run that a naive search finds', {
  timeout: searchTime(60_000),
}, async () => {
  const wish = fc.record({
    from: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
    count: fc.integer({ min: 1, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 6 }), async (wishes) => {
      const network = await networkOf('10.0.0.0/28')
      const taken = new Set<number>()
      for (const { from, count } of wishes) {
        const starts = Array.from({ length: 14 }, (_, index) => index + 1).filter(
          (start) => start >= (from ?? 1),
        )
        const run = (start: number) => Array.from({ length: count }, (_, index) => start + index)
        const start = starts.find((each) => run(each).every((last) => last <= 14 && !taken.has(last)))
        for (const last of start === undefined ? [] : run(start)) taken.add(last)
        const ips: NewIps = { count, ...(from !== undefined && { from: `10.0.0.${from}` }) }
        expect(await refusalOf(addIps(network, ips))).toBe(start === undefined ? 'NAT-IP-5' : 'created')
      }
      const values = (await created(network)).map((ip) => Number((parseAddress(ip)?.value ?? 0n) & 255n))
      expect(values).toEqual([...taken].sort((one, other) => one - other))
    }),
    search(15),
  )
})
