import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser } from '#lib/tools/testing/client'
import { passMillisecond } from '#lib/tools/testing/histories'
import {
  addIps,
  addRule,
  attach,
  ipOf,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

/* `changed` on lists: rows that changed within a time, by the journal. */

const HOUR = 3_600_000_000

/**
 * As if the last change of the row had been made two hours ago. The journal's clock never goes back, so it may be ahead of the machine's after
 * tests that set the time.
 */
const age = (source: string, id: number): Promise<unknown> =>
  transaction((trx) =>
    sql`update past_rows set until = until - (
      select max(until) - ${Date.now() * 1000 - 2 * HOUR} from past_rows where source = ${source} and id = ${id}
    ) where source = ${source} and id = ${id}`.execute(trx),
  )

const { id: datacenter } = await newDatacenter()
const older = await newNetwork({ datacenter, cidr: '10.0.0.0/24' })
const newer = await newNetwork({ datacenter, cidr: '10.1.0.0/24' })
const enterprises = [await newEnterprise(), await newEnterprise()] as const
const users = [await newUser({}), await newUser({})] as const
await addIps(older, { count: 4 })
const machine = await newMachine({ datacenter, enterprise: enterprises[0].id, privateIps: ['192.168.0.1'] })
await attach(older, machine.virtualDatacenter, '10.0.0.1', '10.0.0.2')
for (const ip of ['10.0.0.1', '10.0.0.2'])
  await addRule(older, ip, machine, { protocol: 'TCP', originalPort: 80, translatedPort: 80 })
const ips = await Promise.all(['10.0.0.1', '10.0.0.2'].map((ip) => ipOf(older, ip)))
const below = `${networksPath(datacenter)}/${older.id}`
const rules = (await expectStatus(200, call('GET', `${below}/rules`))).collection.map(
  ({ id }: { id: number }) => id,
)

const lists = [
  ['nat_networks', networksPath(datacenter), older.id, newer.id],
  ['nat_networks', '/api/admin/natnetworks', older.id, newer.id],
  ['enterprises', '/api/admin/enterprises', enterprises[0].id, enterprises[1].id],
  ['users', '/api/admin/enterprises/_/users', users[0].id, users[1].id],
  ['nat_ips', `${below}/ips`, ips[0]?.id, ips[1]?.id],
  ['nat_ips', `${networksPath(datacenter)}/action/allips`, ips[0]?.id, ips[1]?.id],
  ['nat_ips', '/api/admin/natnetworks/action/allips', ips[0]?.id, ips[1]?.id],
  ['nat_rules', `${below}/rules`, rules[0], rules[1]],
  ['nat_rules', '/api/admin/natnetworks/action/allrules', rules[0], rules[1]],
] as const

for (const [source, id] of new Map(lists.map(([source, , id]) => [source, id]))) await age(source, id ?? 0)

test.each(lists)('%s of %s changed within an hour, or not', async (_source, path, was, is) => {
  const found = async (changed: string) => {
    const query = `changed=${encodeURIComponent(changed)}`
    const whole = await expectStatus(200, call('GET', `${path}?${query}&limit=0`))
    const page = await expectStatus(200, call('GET', `${path}?${query}&limit=1`))
    expect(page.totalSize).toBe(whole.collection.length)
    expect(page.links[0].href).toContain(query)
    return whole.collection.map(({ id }: { id: number }) => id)
  }
  expect(await found('<1h')).toContain(is)
  expect(await found('<1h')).not.toContain(was)
  expect(await found('>1h')).toContain(was)
  expect(await found('>60m')).not.toContain(is)
  expect(await found('<1d')).toEqual(expect.arrayContaining([was, is]))
  for (const changed of ['7d', '<7', '<0d', '<-1d', '=7d', '<7y', ''])
    expect(await refusal(call('GET', `${path}?changed=${encodeURIComponent(changed)}`))).toEqual([
      400,
      'GEN-22',
    ])
})

test('at a moment, a row counts as changed by what happened until then', async () => {
  const [, , id] = lists[2]
  const path = `/api/admin/enterprises/${id}`
  const { name, twoFactorAuthenticationMandatory } = await expectStatus(200, call('GET', path))
  const moment = passMillisecond()
  const body = { name: `${name} renamed`, twoFactorAuthenticationMandatory }
  await expectStatus(200, call('PUT', path, { body }))
  const recent = async (query = '') => {
    const list = `/api/admin/enterprises?changed=%3C1h&limit=0${query}`
    return (await expectStatus(200, call('GET', list))).collection.map(({ id }: { id: number }) => id)
  }
  expect(await recent()).toContain(id)
  expect(await recent(`&asof=${moment}`)).not.toContain(id)
  expect(await recent(`&asof=${moment}`)).toContain(enterprises[1].id)
})

test('a change brings a row back, and the numbers by state and bulk changes follow', async () => {
  const states = `${networksPath(datacenter)}/action/ipstates?network=${older.id}`
  const recent = async () => (await expectStatus(200, call('GET', `${states}&changed=%3C1h`))).ips
  const before = await recent()
  expect((await expectStatus(200, call('GET', states))).ips).toBe(before + 1)
  const [ip] = ips
  const path = `${networksPath(datacenter)}/action/changeips?dryrun=true`
  const body = { filter: `changed=%3E1h&all=true&network=${older.id}`, quarantine: true }
  expect(await expectStatus(200, call('POST', path, { body }))).toMatchObject({ total: 1 })
  await expectStatus(200, call('PUT', `${below}/ips/${ip?.id}`, { body: { quarantine: true } }))
  expect(await recent()).toBe(before + 1)
})
