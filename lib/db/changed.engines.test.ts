import { describe, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRow } from '#lib/db/unique.server'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { age, passMillisecond } from '#lib/tools/testing/histories'
import { newRole } from '#lib/tools/testing/identity'
import { newAppliance, newCenter } from '#lib/tools/testing/inventory'
import {
  addIps,
  addRule,
  attach,
  changeIp,
  deviceLink,
  ipOf,
  networksPath,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

/* `changed` on lists: rows that changed within a time, by the journal. */

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

const others = [
  await newMachine({ datacenter, enterprise: enterprises[0].id }),
  await newMachine({ datacenter, enterprise: enterprises[0].id }),
] as const
const center = machine.virtualDatacenter
const appliances = [(await newAppliance({ center })).id, (await newAppliance({ center })).id] as const
const equipment = (table: 'racks' | 'remote_services', row: object) =>
  Promise.all([1, 2].map(() => transaction((trx) => insertRow(trx, table, row as never))))
const racks = await equipment('racks', {
  datacenter_id: datacenter,
  name: 'Rack',
  name_key: 'rack',
  short_description: '',
})
const services = await equipment('remote_services', {
  datacenter_id: datacenter,
  type: 'VIRTUAL_SYSTEM_MONITOR',
  uri: 'http://127.0.0.1',
  status: 1,
})

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
  [
    'virtual_datacenters',
    '/api/cloud/virtualdatacenters',
    others[0].virtualDatacenter,
    others[1].virtualDatacenter,
  ],
  ['virtual_appliances', `/api/cloud/virtualdatacenters/${center}/virtualappliances`, ...appliances],
  ['virtual_machines', '/api/cloud/virtualmachines', others[0].id, others[1].id],
  ['racks', `/api/admin/datacenters/${datacenter}/racks`, racks[0], racks[1]],
  ['remote_services', `/api/admin/datacenters/${datacenter}/remoteservices`, services[0], services[1]],
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

test('the time is counted back from the moment of asof', async () => {
  const { id: place } = await newDatacenter()
  const device = await newDevice(place)
  const network = await newNetwork({ datacenter: place, device: device.id, cidr: '10.8.0.0/24' })
  const beginAt = (moment: number) =>
    transaction((trx) => trx.updateTable('journal_beginning').set({ moment }).execute())
  const { moment } = await transaction((trx) =>
    trx.selectFrom('journal_beginning').select('moment').executeTakeFirstOrThrow(),
  )
  await beginAt(1)
  onTestFinished(async () => void (await beginAt(moment)))
  const rows = { datacenters: place, devices: device.id, nat_networks: network.id, nat_counts: network.id }
  for (const [source, id] of Object.entries(rows)) await age(source, id)
  const path = networksPath(place)
  const found = async (changed: string, minutes: number) => {
    const asof = new Date(Date.now() - minutes * 60_000).toISOString()
    const query = `changed=${encodeURIComponent(changed)}&asof=${asof}`
    return (await expectStatus(200, call('GET', `${path}?${query}`))).totalSize
  }
  const body = { name: unique('Renamed'), cidr: network.cidr, links: [deviceLink(place, device.id)] }
  await expectStatus(200, call('PUT', `${path}/${network.id}`, { body }))
  expect([await found('<1h', 90), await found('>1h', 90)]).toEqual([1, 0])
  // Neither what happened before that hour counts nor what happened after the moment.
  expect([await found('<1h', 30), await found('>1h', 30)]).toEqual([0, 1])
  expect([await found('<1h', 0), await found('>1h', 0)]).toEqual([1, 0])
})

describe('a change that a caller does not see', async () => {
  const [mine, other] = [await newEnterprise(), await newEnterprise()]
  const scope = await newScope({ enterprises: [mine.id], datacenters: [datacenter] })
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  const asked = encodeURIComponent('<1h')
  const idsOf = async (path: string, changed: string, user?: User) => {
    const query = `changed=${encodeURIComponent(changed)}&limit=0&all=true`
    const list = await expectStatus(200, call('GET', `${path}?${query}`, { ...(user && { as: user }) }))
    return list.collection.map(({ id }: { id: number }) => id)
  }
  /** Whether the row changed for the limited user. Both filters, and for NAT IPs all lists and numbers, must agree. */
  const isChanged = async (path: string, id: number) => {
    const found = (await idsOf(path, '<1h', as)).includes(id)
    expect((await idsOf(path, '>1h', as)).includes(id)).toBe(!found)
    return found
  }

  test('of the holder of a NAT IP is none', async () => {
    const network = await newNetwork({ datacenter, cidr: '10.9.0.0/24' })
    const [ip, own] = [`10.9.0.1`, `10.9.0.2`]
    await addIps(network, { count: 2 })
    const ids = { [ip]: (await ipOf(network, ip)).id, [own]: (await ipOf(network, own)).id }
    const center = await newCenter({ enterprise: mine.id, datacenter })
    const hidden = await newCenter({ enterprise: other.id, datacenter })
    const list = `${networksPath(datacenter)}/${network.id}/ips`
    const changes = async () => {
      const states = `${networksPath(datacenter)}/action/ipstates?network=${network.id}&changed=${asked}`
      const { ips } = await expectStatus(200, call('GET', states, { as }))
      const body = { filter: `changed=${asked}&all=true&network=${network.id}`, quarantine: true }
      const bulk = `${networksPath(datacenter)}/action/changeips?dryrun=true`
      expect((await expectStatus(200, call('POST', bulk, { as, body }))).total).toBe(ips)
      const found = await idsOf(list, '<1h', as)
      expect(found).toHaveLength(ips)
      for (const id of Object.values(ids)) expect(await isChanged(list, id)).toBe(found.includes(id))
      return found
    }
    const later = async () => {
      for (const id of Object.values(ids)) await age('nat_ips', id)
      expect(await changes()).toEqual([])
    }
    const set = (address: string, columns: Parameters<typeof changeIp>[1]) =>
      changeIp(ids[address] ?? 0, columns)

    await later()
    await set(ip, { virtual_datacenter_id: hidden.id })
    expect(await changes()).toEqual([])
    expect(await idsOf(list, '<1h')).toEqual([ids[ip]])
    await set(own, { virtual_datacenter_id: center.id })
    expect(await changes()).toEqual([ids[own]])
    await later()
    await set(own, { virtual_datacenter_id: null })
    await set(ip, { virtual_datacenter_id: null })
    expect(await changes()).toEqual([ids[own]])
    // What everybody sees counts, also while the holder is hidden.
    await later()
    await set(ip, { virtual_datacenter_id: hidden.id })
    await set(ip, { quarantine: 1 })
    await set(ip, { quarantine: 0 })
    expect(await changes()).toEqual([ids[ip]])
    await later()
    await set(ip, { virtual_datacenter_id: center.id })
    expect(await changes()).toEqual([ids[ip]])
    // A virtual datacenter that is gone counts as it was.
    await later()
    await expectStatus(204, call('DELETE', `/api/cloud/virtualdatacenters/${center.id}`))
    await expectStatus(204, call('DELETE', `/api/cloud/virtualdatacenters/${hidden.id}`))
    expect(await changes()).toEqual([ids[ip]])
  })

  const scopes = {
    hidden: await newScope(),
    other: await newScope(),
    seen: await newScope({ parent: scope.id }),
  }
  const role = await newRole()
  const user = await newUser({ enterpriseId: mine.id, scopeId: scopes.hidden.id })
  const setScope = (table: 'roles' | 'users' | 'enterprises', id: number, scope: number) =>
    transaction((trx) =>
      trx
        .updateTable(table)
        .set({ [table === 'enterprises' ? 'default_scope_id' : 'scope_id']: scope })
        .where('id', '=', id)
        .execute(),
    )

  test.each([
    ['roles', '/api/admin/roles', role],
    ['users', '/api/admin/enterprises/_/users', user.id],
    ['enterprises', '/api/admin/enterprises', mine.id],
  ] as const)('of the scope of %s is none', async (table, path, id) => {
    await setScope(table, id, scopes.hidden.id)
    await age(table, id)
    expect(await isChanged(path, id)).toBe(false)
    await setScope(table, id, scopes.other.id)
    expect(await isChanged(path, id)).toBe(false)
    expect(await idsOf(path, '<1h')).toContain(id)
    await setScope(table, id, scopes.seen.id)
    expect(await isChanged(path, id)).toBe(true)
    await age(table, id)
    await setScope(table, id, scopes.hidden.id)
    expect(await isChanged(path, id)).toBe(true)
  })

  test('of the owner of a virtual machine is none', async () => {
    const path = '/api/cloud/virtualmachines'
    const { id } = await newMachine({ datacenter, enterprise: mine.id })
    const [one, two] = [await newUser({ enterpriseId: other.id }), await newUser({ enterpriseId: other.id })]
    const setOwner = (to: number) =>
      transaction((trx) =>
        trx.updateTable('virtual_machines').set({ user_id: to }).where('id', '=', id).execute(),
      )
    await setOwner(one.id)
    await age('virtual_machines', id)
    await setOwner(two.id)
    expect(await isChanged(path, id)).toBe(false)
    expect(await idsOf(path, '<1h')).toContain(id)
    await setOwner(user.id)
    expect(await isChanged(path, id)).toBe(true)
  })

  test('of the role of a user is none', async () => {
    const path = '/api/admin/enterprises/_/users'
    const other = await newEnterprise()
    const [one, two] = [await newRole({ enterpriseId: other.id }), await newRole({ enterpriseId: other.id })]
    const setRole = (to: number) =>
      transaction((trx) => trx.updateTable('users').set({ role_id: to }).where('id', '=', user.id).execute())
    await setRole(one)
    await age('users', user.id)
    await setRole(two)
    expect(await isChanged(path, user.id)).toBe(false)
    expect(await idsOf(path, '<1h')).toContain(user.id)
    await setRole(role)
    expect(await isChanged(path, user.id)).toBe(true)
  })
})
