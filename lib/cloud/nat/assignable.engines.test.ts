import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createListedIps, nextRun } from '#lib/cloud/nat/ip-creation.server'
import { database, transaction } from '#lib/db/db.server'
import { unwatch } from '#lib/db/journal.server'
import { statements } from '#lib/db/migrations/055-assignable.server'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import {
  addIps,
  attach,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'

let datacenter: number
let center: number

beforeAll(async () => {
  ;({ id: datacenter } = await newDatacenter())
  const { enterpriseId: enterprise } = await newUser()
  center = (await newMachine({ enterprise, datacenter, privateIps: [] })).virtualDatacenter
})

const pathOf = ({ datacenter, id }: Network) => `${networksPath(datacenter)}/${id}`
const read = (network: Network) => expectStatus(200, call('GET', pathOf(network)))
const assignable = async (network: Network) => (await read(network)).assignable
const historyOf = async (network: Network) =>
  (await expectStatus(200, call('GET', `${pathOf(network)}/action/usehistory?days=1`))).days
const newOne = (cidr: string) => newNetwork({ datacenter, cidr })
const add = (network: Network, body: object) =>
  expectStatus(201, call('POST', `${pathOf(network)}/ips`, { body }))
const change = (network: Network, { id }: { id: number }, body: object) =>
  expectStatus(200, call('PUT', `${pathOf(network)}/ips/${id}`, { body }))

describe('the assignable addresses of a network', () => {
  test.each([
    ['10.0.0.0/8', 16_777_214],
    ['192.0.2.0/28', 14],
    ['192.0.2.0/30', 2],
    ['192.0.2.0/31', 2],
    ['192.0.2.7/32', 1],
    ['2001:db8::/64', undefined],
    ['2001:db8::/74', undefined],
    ['2001:db8::/75', Number.MAX_SAFE_INTEGER],
    ['2001:db8::/126', 3],
    ['2001:db8::/127', 2],
    ['2001:db8::/128', 1],
  ])('of %s are %s', async (cidr, count) => {
    expect(await assignable(await newOne(cidr))).toBe(count)
  })

  test('include added addresses that are not assigned automatically', async () => {
    const network = await newOne('192.0.2.0/28')
    const first = await add(network, { ip: '192.0.2.0' })
    await add(network, { ip: '192.0.2.3' })
    expect(await assignable(network)).toBe(15)
    await add(network, { ip: '192.0.2.15' })
    expect(await assignable(network)).toBe(16)
    expect((await historyOf(network))[0]).toMatchObject({ ips: 3, assignable: 16 })
    await expectStatus(204, call('DELETE', `${pathOf(network)}/ips/${first.id}`))
    expect(await assignable(network)).toBe(15)
    expect((await historyOf(network))[0]).toMatchObject({ ips: 2, assignable: 15 })
    const six = await newOne('2001:db8:7::/126')
    await add(six, { ip: '2001:db8:7::' })
    expect(await assignable(six)).toBe(4)
    const widest = await newOne('2001:db8::/75')
    await add(widest, { ip: '2001:db8::' })
    expect(await assignable(widest)).toBeUndefined()
  })

  test('leave out addresses that are unavailable or in quarantine, unless they are attached', async () => {
    const network = await newOne('192.0.2.0/28')
    const ip = await add(network, { ip: '192.0.2.1' })
    const other = await add(network, { ip: '192.0.2.2' })
    await change(network, ip, { available: false, quarantine: true })
    expect(await assignable(network)).toBe(13)
    await change(network, ip, { available: true, quarantine: false })
    await change(network, ip, { available: true, quarantine: true })
    expect((await historyOf(network))[0]).toMatchObject({ availableIps: 2, assignable: 13 })
    await change(network, other, { available: false, quarantine: false })
    expect(await assignable(network)).toBe(12)
    await change(network, ip, { available: true, quarantine: false })
    await change(network, other, { available: true, quarantine: false })
    expect(await assignable(network)).toBe(14)
    await attach(network, center, '192.0.2.1')
    await change(network, ip, { available: false, quarantine: true })
    expect(await read(network)).toMatchObject({ ips: 2, usedIps: 1, assignable: 14 })
    expect((await historyOf(network))[0]).toMatchObject({ usedIps: 1, assignable: 14 })
  })

  test('follow the CIDR, also in the history', async () => {
    const network = await newOne('192.0.2.0/28')
    const ip = await add(network, { ip: '192.0.2.1' })
    await expectStatus(204, call('DELETE', `${pathOf(network)}/ips/${ip.id}`))
    const document = await read(network)
    await expectStatus(200, call('PUT', pathOf(network), { body: { ...document, cidr: '192.0.2.0/29' } }))
    expect(await assignable(network)).toBe(6)
    expect((await historyOf(network))[0]).toMatchObject({ ips: 0, assignable: 6 })
    const fresh = await newOne('203.0.113.0/28')
    const own = await read(fresh)
    await expectStatus(200, call('PUT', pathOf(fresh), { body: { ...own, cidr: '203.0.113.0/29' } }))
    expect(await historyOf(fresh)).toEqual([])
  })

  test('of many IPs in several statements are kept in the history', async () => {
    const network = await newOne('10.7.0.0/20')
    const hosts = Array.from({ length: 1200 }, (_, index) => `10.7.${index >> 8}.${index & 255}`)
    const ips = [...hosts, '10.7.15.255'].map((ip) => ({ ip, available: true, quarantine: false }))
    await transaction((trx) => createListedIps(trx, { ...network, datacenter_id: datacenter }, ips))
    expect((await historyOf(network))[0]).toMatchObject({ ips: 1201, assignable: 4096 })
  })

  test('are in XML and CSV, and order lists by use', async () => {
    const place = (await newDatacenter()).id
    const { virtualDatacenter } = await newMachine({
      enterprise: (await newUser()).enterpriseId,
      datacenter: place,
      privateIps: [],
    })
    const made = async (cidr: string, count: number, ...ips: string[]) => {
      const network = await newNetwork({ datacenter: place, cidr })
      await addIps(network, { count })
      await attach(network, virtualDatacenter, ...ips)
      return network
    }
    const little = await made('192.0.2.0/24', 1, '192.0.2.1')
    const much = await made('198.51.100.0/29', 4, '198.51.100.1', '198.51.100.2')
    const huge = await made('2001:db8::/64', 1, '2001:db8::1')
    const { collection } = await expectStatus(200, call('GET', `${networksPath(place)}?by=use`))
    expect(collection.map(({ id }: { id: number }) => id)).toEqual([huge.id, little.id, much.id])
    const headers = { accept: 'application/vnd.service.natnetwork+xml' }
    expect(await expectStatus(200, call('GET', pathOf(much), { headers }))).toMatch(
      /<rules>0<\/rules><assignable>6<\/assignable><\/natnetwork>$/,
    )
    const { rows } = await readCsv(`${networksPath(place)}?limit=0&by=use`)
    expect(rows.map((row) => row.assignable)).toEqual(['', '254', '6'])
  })
})

test('the migration counts what can be in use on the last day of each history', async () => {
  const undone = new Error('undone')
  const network = await newOne('192.0.2.0/28')
  await add(network, { ip: '192.0.2.0' })
  const rows = (db = database().read) =>
    db
      .selectFrom('nat_use_days')
      .select(['nat_network_id', 'day', 'assignable'])
      .orderBy('nat_network_id')
      .orderBy('day')
      .execute()
  const before = await rows()
  expect(before.some((row) => row.nat_network_id === network.id && Number(row.assignable) === 15)).toBe(true)
  const work = transaction(async (trx) => {
    await unwatch(trx, database().engine)
    await sql`alter table nat_use_days drop column assignable`.execute(trx)
    for (const statement of statements()) await sql.raw(statement).execute(trx)
    expect(await rows(trx)).toEqual(before)
    throw undone
  })
  await expect(work).rejects.toBe(undone)
})

test('the next run is the longest gap, where the addresses that are left are not in a row', async () => {
  const network = await newOne('192.0.2.0/28')
  for (const last of [1, 2, 4, 5, 9, 12]) await add(network, { ip: `192.0.2.${last}` })
  const row = { id: network.id, datacenter_id: datacenter, cidr: '192.0.2.0/28' }
  expect(await nextRun(database().read, row, 16)).toBe(3)
  expect(await nextRun(database().read, row, 2)).toBe(2)
})
