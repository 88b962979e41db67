import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createIps } from '#lib/cloud/nat/ip-creation.server'
import { KEPT_DAYS, type UseHistoryDocument } from '#lib/cloud/nat/use-history.schema'
import { removeOldUseDays } from '#lib/cloud/nat/use-history.server'
import { database, transaction } from '#lib/db/db.server'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import {
  addIps,
  attach,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const DAY = 24 * 60 * 60 * 1000
const now = Date.parse('2026-11-20T10:00:00Z')

let network: Network
let enterprise: number

/** Sets the clock to this number of days before the end of the history. */
const daysAgo = (days: number) => vi.setSystemTime(now - days * DAY)

const path = () => `${networksPath(network.datacenter)}/${network.id}/action/usehistory`
const historyOf = async (query = '', as?: User): Promise<UseHistoryDocument['days']> =>
  (await expectStatus(200, call('GET', path() + query, { ...(as && { as }) }))).days

beforeAll(async () => {
  ;({ enterpriseId: enterprise } = await newUser())
})

/** A network that changed 100, 40, 3 and 1 days ago. */
async function grown(cidr: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  daysAgo(100)
  const { id: datacenter } = await newDatacenter()
  network = await newNetwork({ datacenter, cidr })
  const machine = await newMachine({ enterprise, datacenter, privateIps: [] })
  await addIps(network, { count: 2 })
  daysAgo(40)
  await attach(network, machine.virtualDatacenter, cidr.replace('0/24', '1'))
  daysAgo(3)
  await addIps(network, { from: cidr.replace('0/24', '10'), count: 3 })
  await attach(network, machine.virtualDatacenter, cidr.replace('0/24', '10'))
  await attach(network, machine.virtualDatacenter, cidr.replace('0/24', '11'))
  daysAgo(1)
  await expectStatus(
    200,
    call('POST', `${networksPath(datacenter)}/action/releaseips`, { body: { filter: '' } }),
  )
  const body = { filter: '', available: false }
  await expectStatus(200, call('POST', `${networksPath(datacenter)}/action/changeips`, { body }))
  daysAgo(0)
}

afterEach(() => {
  vi.useRealTimers()
})

const figures = (days: UseHistoryDocument['days']) =>
  days.map(({ day, ips, availableIps, usedIps }) => `${day} ${ips} ${availableIps} ${usedIps}`)

test('the history has the last totals of each day, carried over days without a change', async () => {
  await grown('10.20.0.0/24')
  const days = await historyOf()
  expect(days).toHaveLength(30)
  expect(figures(days).slice(-5)).toEqual([
    '2026-11-16 2 2 1',
    '2026-11-17 5 5 3',
    '2026-11-18 5 5 3',
    '2026-11-19 5 0 0',
    '2026-11-20 5 0 0',
  ])
  expect(figures(days)[0]).toBe('2026-10-22 2 2 1')
  expect(figures(await historyOf('?days=1'))).toEqual(['2026-11-20 5 0 0'])
  const longest = await historyOf('?days=90')
  expect(longest).toHaveLength(90)
  expect(figures(longest).slice(49, 51)).toEqual(['2026-10-11 2 2 1', '2026-10-12 2 2 1'])
  expect(figures(longest)[48]).toBe('2026-10-10 2 2 0')
})

test('a network that is younger has fewer days, and one without IPs none', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  daysAgo(2)
  const { id: datacenter } = await newDatacenter()
  network = await newNetwork({ datacenter, cidr: '10.21.0.0/24' })
  expect(await historyOf()).toEqual([])
  await addIps(network, { count: 4 })
  daysAgo(0)
  expect(figures(await historyOf())).toEqual(['2026-11-18 4 4 0', '2026-11-19 4 4 0', '2026-11-20 4 4 0'])
})

test('days beyond the history are removed, except the last change before it', async () => {
  await grown('10.22.0.0/24')
  const kept = async () => {
    const rows = await database()
      .read.selectFrom('nat_use_days')
      .where('nat_network_id', '=', network.id)
      .select('day')
      .orderBy('day')
      .execute()
    return rows.map(({ day }) => Math.floor(now / DAY) - Number(day))
  }
  await removeOldUseDays()
  expect(await kept()).toEqual([100, 40, 3, 1])
  const before = await historyOf(`?days=${KEPT_DAYS}`)
  daysAgo(-88)
  await removeOldUseDays()
  expect(await kept()).toEqual([1])
  expect(figures(await historyOf('?days=90'))[0]).toBe('2026-11-19 5 0 0')
  expect(figures(before)[0]).toBe('2026-08-23 2 2 0')
})

test('a network that is deleted takes its history with it', async () => {
  await grown('10.23.0.0/24')
  vi.useRealTimers()
  await expectStatus(
    200,
    call('POST', `${networksPath(network.datacenter)}/action/deleteips`, { body: { filter: 'all=true' } }),
  )
  await expectStatus(204, call('DELETE', `${networksPath(network.datacenter)}/${network.id}`))
  const rows = await database()
    .read.selectFrom('nat_use_days')
    .where('nat_network_id', '=', network.id)
    .select('day')
    .execute()
  expect(rows).toEqual([])
})

test('a change that is rolled back leaves no trace', async () => {
  await grown('10.24.0.0/24')
  const before = await historyOf()
  const failing = transaction(async (trx) => {
    await createIps(trx, { ...network, datacenter_id: network.datacenter }, { count: 5 })
    throw new Error('after all')
  })
  await expect(failing).rejects.toThrow('after all')
  expect(await historyOf()).toEqual(before)
})

test('the history is hidden with its network, and written as XML', async () => {
  await grown('10.25.0.0/24')
  const scope = await newScope({ enterprises: [enterprise] })
  const as = await newUser({ scopeId: scope.id })
  expect(await refusal(call('GET', path(), { as }))).toEqual([404, 'DC-0'])
  const headers = { accept: 'application/vnd.service.natusehistory+xml' }
  expect(await expectStatus(200, call('GET', `${path()}?days=1`, { headers }))).toContain(
    '<days><day>2026-11-20</day><ips>5</ips><availableIps>0</availableIps><usedIps>0</usedIps><assignable>249</assignable></days>',
  )
  for (const days of ['0', '91', 'x'])
    expect(await refusal(call('GET', `${path()}?days=${days}`))).toEqual([400, 'GEN-22'])
})
