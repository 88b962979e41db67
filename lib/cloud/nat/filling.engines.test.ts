import { afterEach, expect, test, vi } from 'vitest'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { addIps, attach, networksPath, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const DAY = 24 * 60 * 60 * 1000
const now = Date.parse('2026-11-20T10:00:00Z')

/** Sets the clock to this number of days before the end of the history. */
const daysAgo = (days: number) => vi.setSystemTime(now - days * DAY)

afterEach(() => {
  vi.useRealTimers()
})

/** A network of 14 addresses, of which so many were attached on these days ago. */
async function network(attached: Record<number, number>) {
  const { enterpriseId: enterprise } = await newUser()
  const { id: datacenter } = await newDatacenter()
  const machine = await newMachine({ enterprise, datacenter, privateIps: [] })
  vi.useFakeTimers({ toFake: ['Date'] })
  daysAgo(100)
  const made = await newNetwork({ datacenter, cidr: '192.0.2.0/28' })
  await addIps(made, { count: 14 })
  let last = 0
  for (const days of Object.keys(attached)
    .map(Number)
    .sort((one, other) => other - one)) {
    daysAgo(days)
    for (let count = attached[days] ?? 0; count > 0; count -= 1) {
      last += 1
      await attach(made, machine.virtualDatacenter, `192.0.2.${last}`)
    }
  }
  daysAgo(0)
  return { ...made, datacenter, enterprise }
}

const filling = async (datacenter: number, days: number, as?: User) => {
  const path = `/api/admin/natnetworks?datacenter=${datacenter}&fillswithin=${days}`
  const { collection } = await expectStatus(200, call('GET', path, { ...(as && { as }) }))
  return collection.map(({ id, fillsOn }: { id: number; fillsOn: string }) => [id, fillsOn])
}

test('a network fills as its use has grown in the last 30 days', async () => {
  // Six in 30 days, so the eight that are free last 40 days.
  const { id, datacenter } = await network({ 60: 0, 10: 6 })
  expect(await filling(datacenter, 40)).toEqual([[id, '2026-12-30']])
  expect(await filling(datacenter, 39)).toEqual([])
  const own = await expectStatus(200, call('GET', `${networksPath(datacenter)}?fillswithin=40`))
  expect(own).toMatchObject({ totalSize: 1, collection: [{ id, fillsOn: '2026-12-30' }] })
  const all = await expectStatus(200, call('GET', networksPath(datacenter)))
  expect(all.collection[0]).not.toHaveProperty('fillsOn')
})

test('growth from before counts no more, and a full network does not fill', async () => {
  const before = await network({ 50: 6 })
  expect(await filling(before.datacenter, 365)).toEqual([])
  const full = await network({ 50: 6, 10: 8 })
  expect(await filling(full.datacenter, 365)).toEqual([])
})

test('a younger network counts since its first day', async () => {
  const { enterpriseId: enterprise } = await newUser()
  const { id: datacenter } = await newDatacenter()
  const machine = await newMachine({ enterprise, datacenter, privateIps: [] })
  vi.useFakeTimers({ toFake: ['Date'] })
  daysAgo(4)
  const made = await newNetwork({ datacenter, cidr: '192.0.2.0/28' })
  await addIps(made, { count: 14 })
  daysAgo(2)
  for (const last of [1, 2, 3, 4, 5, 6, 7]) await attach(made, machine.virtualDatacenter, `192.0.2.${last}`)
  daysAgo(0)
  expect(await filling(datacenter, 4)).toEqual([[made.id, '2026-11-24']])
  expect(await filling(datacenter, 3)).toEqual([])
})

test('the filter is hidden with the network, has no past, and takes 1 to 365 days', async () => {
  const { datacenter, enterprise } = await network({ 10: 13 })
  expect(await filling(datacenter, 30)).toHaveLength(1)
  const scope = await newScope({ enterprises: [enterprise] })
  const stranger = await newUser({ scopeId: scope.id })
  expect(await filling(datacenter, 30, stranger)).toEqual([])
  for (const days of ['0', '366', 'x'])
    expect(await refusal(call('GET', `/api/admin/natnetworks?fillswithin=${days}`))).toEqual([400, 'GEN-22'])
  vi.useRealTimers()
  const moment = new Date().toISOString()
  expect(await refusal(call('GET', `/api/admin/natnetworks?fillswithin=30&asof=${moment}`))).toEqual([
    400,
    'GEN-22',
  ])
})
