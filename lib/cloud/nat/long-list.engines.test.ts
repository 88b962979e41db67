import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createIps } from '#lib/cloud/nat/ip-creation.server'
import { closeDatabase, openDatabase, transaction } from '#lib/db/db.server'
import { numbersIn } from '#lib/db/id-list'
import { env } from '#lib/ground/env.server'
import { call, expectStatus } from '#lib/tools/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'

test('a text of ids is parsed to the same ids', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(Number.MAX_SAFE_INTEGER)), (ids) => {
      expect([...numbersIn(ids.join(','))]).toEqual(ids)
    }),
  )
})

test('a search shows the writes of another process after their commit, and not before', async () => {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '10.0.0.0/24' })
  await addIps(network, { count: 3 })
  const path = `${networksPath(datacenter)}/action/allips?has=10.0.0.&limit=2`
  const totalSize = async () => (await expectStatus(200, call('GET', path))).totalSize
  expect(await totalSize()).toBe(3)
  const another = openDatabase(env())
  onTestFinished(() => closeDatabase(another))
  for (const total of [4, 5]) {
    await transaction(
      async (trx) => {
        await createIps(trx, { ...network, datacenter_id: datacenter }, { count: 1 })
        expect(await totalSize()).toBe(total - 1)
      },
      { on: another },
    )
    expect(await totalSize()).toBe(total)
  }
})

test('a search by one caller does not change the results of another', async () => {
  const { datacenter, machines, limited } = await natSample()
  const path = `${networksPath(datacenter.id)}/action/allrules?has=${encodeURIComponent(machines.hidden.name)}`
  const found = async (as?: typeof limited) =>
    (await expectStatus(200, call('GET', path, { ...(as && { as }) }))).totalSize
  const all = await found()
  expect(all).toBeGreaterThan(0)
  expect([await found(limited), await found()]).toEqual([0, all])
})

test('a page that is read again shows later writes, and to each caller only visible rows', async () => {
  const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.233.0.0/24' })
  await addIps(network, { count: 2 })
  const path = `${networksPath(network.datacenter)}/${network.id}/ips?limit=5`
  const first = await expectStatus(200, call('GET', path))
  expect(await expectStatus(200, call('GET', path))).toEqual(first)
  await addIps(network, { count: 1 })
  expect(await expectStatus(200, call('GET', path))).toMatchObject({ totalSize: 3 })

  const { datacenter, limited } = await natSample()
  const attached = `${networksPath(datacenter.id)}/action/allips?limit=5&attached=true`
  const seen = await expectStatus(200, call('GET', attached))
  expect(await expectStatus(200, call('GET', attached, { as: limited }))).not.toEqual(seen)
})

describe('every page is a slice of the full export', async () => {
  const COUNT = 1500
  const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.0.0.0/16' })
  await addIps(network, { from: '10.0.0.1', count: COUNT })
  const path = `${networksPath(network.datacenter)}/${network.id}/ips`
  const ipsOf = async (query: string): Promise<string[]> => {
    const { collection } = await expectStatus(200, call('GET', `${path}?${query}`))
    return collection.map(({ ip }: { ip: string }) => ip)
  }

  test.each([
    ['found by the totals of blocks, ascending', 'asc=true'],
    ['found by the totals of blocks, descending', 'asc=false'],
    ['cut from sorted ids, ascending', 'asc=true&has=10.0.'],
    ['cut from sorted ids, descending', 'asc=false&has=10.0.'],
  ])('%s', async (_how, query) => {
    const all = await ipsOf(`limit=0&${query}`)
    expect(all).toHaveLength(COUNT)
    for (const start of [0, 100, 300, 555, 749, 800, 1100, 1337, 1490])
      expect(await ipsOf(`limit=7&startwith=${start}&${query}`)).toEqual(all.slice(start, start + 7))
  })
})
