import { describe, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import type { EventDocument } from '#lib/record/events/events.schema'
import type { EventRowDocument } from '#lib/record/events/rows.schema'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { createdUser, newRole, putUser } from '#lib/tools/testing/identity'
import { centerPath, newCenter, refer } from '#lib/tools/testing/inventory'
import {
  addIps,
  addRule,
  attach,
  changeIp,
  ipOf,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { newTenIps } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

/* docs/api/events.md, "The rows of an event". */

type Place = Pick<Network, 'datacenter'>
type Listed = { collection: EventRowDocument[]; totalSize: number; links: { rel: string; href: string }[] }

const bulk = (place: Place, action: string, body: object) =>
  expectStatus(200, call('POST', `${networksPath(place.datacenter)}/action/${action}`, { body }))

const read = (path: string, as?: User, headers = {}) =>
  expectStatus(200, call('GET', path, { headers, ...(as && { as }) }))

const eventOf = (id: number, as?: User): Promise<EventDocument> => read(`/api/events/${id}`, as)

const rowsOf = (event: number, query = '', as?: User): Promise<Listed> =>
  read(`/api/events/${event}/rows?${query}`, as)

const lastEvent = async (query: string): Promise<EventDocument> =>
  (await read(`/api/events?by=id&asc=false&limit=1&${query}`)).collection[0]

const namesIn = ({ collection }: Listed): string[] => collection.map(({ entityName }) => entityName)

/** The moment of the last change of a NAT IP. */
const lastChange = async (id: number): Promise<number> => {
  const { until } = await database()
    .read.selectFrom('past_rows')
    .where('source', '=', 'nat_ips')
    .where('id', '=', id)
    .select(({ fn }) => fn.max<number>('until').as('until'))
    .executeTakeFirstOrThrow()
  return Number(until)
}

/** Three IPs that were set aside in one step. */
async function quarantined() {
  const network = await newTenIps()
  const ips = await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((ip) => ipOf(network, ip)))
  const ids = ips.map(({ id }) => id)
  const { event } = await bulk(network, 'changeips', { ids, quarantine: true })
  return { network, ids, event }
}

describe('the rows of a bulk change', () => {
  test('are the changed resources, with the fields that differ', async () => {
    const { network, ids, event } = await quarantined()
    const { collection, totalSize } = await rowsOf(event)
    expect(totalSize).toBe(3)
    expect(
      collection.map(({ links, ...row }) => [
        row,
        links.map(({ rel, href }) => [rel, new URL(href).pathname]),
      ]),
    ).toEqual(
      ids.map((id, index) => [
        {
          entityType: 'natip',
          entityId: id,
          entityName: `192.0.2.${index + 1}`,
          action: 'update',
          changes: { quarantine: { before: 'false', after: 'true' } },
        },
        [['entity', `${networksPath(network.datacenter)}/${network.id}/ips/${id}`]],
      ]),
    )
    const document = await eventOf(event)
    expect(document.count).toBe(3)
    expect(new URL(document.links.find(({ rel }) => rel === 'rows')?.href ?? '').pathname).toBe(
      `/api/events/${event}/rows`,
    )
  })

  test('are paged, searched and filtered by kind, and are a table and XML too', async () => {
    const { event } = await quarantined()
    const page = await rowsOf(event, 'startwith=1&limit=1')
    expect([namesIn(page), page.totalSize]).toEqual([['192.0.2.2'], 3])
    expect(page.links.map(({ rel }) => rel)).toEqual(['first', 'last', 'previous', 'next'])
    expect(namesIn(await rowsOf(event, 'asc=false'))).toEqual(['192.0.2.3', '192.0.2.2', '192.0.2.1'])
    expect(namesIn(await rowsOf(event, 'has=2.3'))).toEqual(['192.0.2.3'])
    expect((await rowsOf(event, 'has=%25')).totalSize).toBe(0)
    expect((await rowsOf(event, 'entity=natip')).totalSize).toBe(3)
    expect((await rowsOf(event, 'entity=user')).totalSize).toBe(0)
    const csv = await read(`/api/events/${event}/rows?limit=0`, undefined, { accept: 'text/csv' })
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'entityType,entityId,entityName,action,changes',
      expect.stringMatching(/^natip,\d+,192.0.2.1,update,quarantine: false → true$/),
    ])
    expect(csv.trim().split('\r\n')).toHaveLength(4)
    const xml = await read(`/api/events/${event}/rows`, undefined, {
      accept: 'application/vnd.service.eventrows+xml',
    })
    expect(xml).toContain('<entityName>192.0.2.1</entityName>')
  })

  test('go on through all of its transactions', async () => {
    const network = await newTenIps()
    const body = { filter: 'all=true', available: false, most: 4 }
    const first = await bulk(network, 'changeips', body)
    const last = await bulk(network, 'changeips', {
      ...body,
      most: 10,
      after: first.next,
      event: first.event,
    })
    expect(last.event).toBe(first.event)
    const { collection, totalSize } = await rowsOf(first.event)
    expect(totalSize).toBe(10)
    expect(new Set(collection.map(({ entityId }) => entityId)).size).toBe(10)
    expect(namesIn(await rowsOf(first.event, 'startwith=3&limit=3'))).toEqual([
      '192.0.2.4',
      '192.0.2.5',
      '192.0.2.6',
    ])
  })

  test('are as the event left them, whatever happened later', async () => {
    const { network, ids, event } = await quarantined()
    await bulk(network, 'changeips', { ids, quarantine: false, available: false })
    const { event: deletion } = await bulk(network, 'deleteips', { ids })
    const [row] = (await rowsOf(event)).collection
    expect(row).toMatchObject({ changes: { quarantine: { before: 'false', after: 'true' } }, links: [] })
    const [deleted] = (await rowsOf(deletion)).collection
    expect(deleted).toMatchObject({
      action: 'delete',
      entityName: '192.0.2.1',
      changes: { ip: { before: '192.0.2.1' }, available: { before: 'false' } },
      links: [],
    })
  })

  test('of its undo go the other way', async () => {
    const { event } = await quarantined()
    const undo = await expectStatus(200, call('POST', `/api/events/${event}/action/undo`))
    const { collection, totalSize } = await rowsOf(undo.id)
    expect([totalSize, undo.count]).toEqual([3, 3])
    expect(collection[0]?.changes).toEqual({ quarantine: { before: 'true', after: 'false' } })
  })

  test('of attachments and releases show the holders that the caller sees, and nothing of others', async () => {
    const network = await newTenIps()
    const { datacenter } = network
    const [mine, other] = [await newEnterprise(), await newEnterprise()]
    const own = await newCenter({ datacenter, enterprise: mine.id })
    const hidden = await newCenter({ datacenter, enterprise: other.id })
    const [one, two] = [await ipOf(network, '192.0.2.1'), await ipOf(network, '192.0.2.2')]
    const link = (id: number) => refer('virtualdatacenter', `/api/cloud/virtualdatacenters/${id}`)
    const attached = async (id: number, center: number) =>
      (await bulk(network, 'attachips', { ids: [id], links: [link(center)] })).event
    const [visible, invisible] = [await attached(one.id, own.id), await attached(two.id, hidden.id)]
    const { event: release } = await bulk(network, 'releaseips', { ids: [one.id, two.id] })
    const undo = await expectStatus(200, call('POST', `/api/events/${release}/action/undo`))
    const scope = await newScope({ enterprises: [mine.id], datacenters: [datacenter] })
    const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
    expect(await codesOf(call('GET', `/api/events/${invisible}`, { as }))).toEqual(['EVENT-0'])
    const expectOnlyOwn = async (event: number, action: string) => {
      const { collection, totalSize } = await rowsOf(event, '', as)
      expect([totalSize, collection]).toMatchObject([1, [{ entityName: '192.0.2.1', action }]])
      expect(JSON.stringify(collection[0]?.changes.virtualdatacenter)).toContain(`(${own.id})`)
      const document = await eventOf(event, as)
      expect(document.count).toBe(1)
      expect(document.changes).not.toHaveProperty('count')
      expect((await rowsOf(event, 'has=192.0.2.2', as)).totalSize).toBe(0)
    }
    await expectOnlyOwn(release, 'release')
    await expectOnlyOwn(undo.id, 'attach')
    expect((await rowsOf(visible, '', as)).collection[0]?.action).toBe('attach')
    const { collection } = await rowsOf(release)
    expect(collection.map(({ action }) => action)).toEqual(['release', 'release'])
  })

  test('of NAT IPs that were deleted or set aside while held are without a hidden holder', async () => {
    const network = await newTenIps()
    const [mine, other] = [await newEnterprise(), await newEnterprise()]
    const hidden = await newCenter({ datacenter: network.datacenter, enterprise: other.id })
    await attach(network, hidden.id, '192.0.2.1')
    const { id } = await ipOf(network, '192.0.2.1')
    const { event } = await bulk(network, 'changeips', { ids: [id], quarantine: true })
    // As a change of both at once, of an import.
    await changeIp(id, { virtual_datacenter_id: null, quarantine: 0 })
    const until = await lastChange(id)
    await transaction(async (trx) => {
      await trx.insertInto('event_steps').values({ event_id: event, moment: until }).execute()
    })
    const scope = await newScope({ enterprises: [mine.id], datacenters: [network.datacenter] })
    const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
    const changesIn = async (reader?: User) =>
      (await rowsOf(event, '', reader)).collection.map(({ action, changes }) => [
        action,
        Object.keys(changes),
      ])
    expect(await changesIn()).toEqual([
      ['update', ['quarantine']],
      ['release', ['quarantine', 'virtualdatacenter']],
    ])
    expect(await changesIn(as)).toEqual([
      ['update', ['quarantine']],
      ['update', ['quarantine']],
    ])
  })

  test('come without the filter of others, which may be by what is hidden', async () => {
    const network = await newTenIps()
    const [mine, other] = [await newEnterprise(), await newEnterprise()]
    const hidden = await newCenter({ datacenter: network.datacenter, enterprise: other.id })
    await attach(network, hidden.id, '192.0.2.1')
    const filter = `enterprise=${other.id}`
    const { event } = await bulk(network, 'changeips', { filter, quarantine: true })
    const scope = await newScope({ enterprises: [mine.id], datacenters: [network.datacenter] })
    const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
    expect((await eventOf(event)).changes.filter).toEqual({ after: filter })
    expect((await eventOf(event, as)).changes).toEqual({
      quarantine: { after: 'true' },
    })
  })

  test('keep a deleted holder where it last was', async () => {
    const network = await newTenIps()
    const mine = await newEnterprise()
    const center = await newCenter({ datacenter: network.datacenter, enterprise: mine.id })
    await attach(network, center.id, '192.0.2.1')
    const { id } = await ipOf(network, '192.0.2.1')
    const { event } = await bulk(network, 'releaseips', { ids: [id] })
    await expectStatus(204, call('DELETE', centerPath(center.id)))
    const scope = await newScope({ enterprises: [mine.id], datacenters: [network.datacenter] })
    const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
    const [row] = (await rowsOf(event, '', as)).collection
    expect(row).toMatchObject({ action: 'release', entityName: '192.0.2.1' })
    expect(row?.changes.virtualdatacenter?.before).toContain(`(${center.id})`)
  })
})

test('rows that the caller does not see are in no list, count or table', async () => {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '192.0.2.0/24' })
  await addIps(network, { count: 2 })
  const machines = await Promise.all(
    [1, 2].map(async (n) => {
      const enterprise = await newEnterprise()
      const machine = await newMachine({ enterprise: enterprise.id, datacenter, privateIps: [`10.7.0.${n}`] })
      await attach(network, machine.virtualDatacenter, `192.0.2.${n}`)
      await addRule(network, `192.0.2.${n}`, machine)
      return { enterprise, machine }
    }),
  )
  const [mine] = machines
  const scope = await newScope({ enterprises: [mine?.enterprise.id ?? 0], datacenters: [datacenter] })
  const as = await newUser({ enterpriseId: mine?.enterprise.id ?? 0, scopeId: scope.id })
  const { event } = await bulk({ datacenter }, 'deleterules', { filter: '' })
  const all = await rowsOf(event)
  expect([all.totalSize, (await eventOf(event)).count]).toEqual([2, 2])
  const seen = await rowsOf(event, '', as)
  expect(seen.totalSize).toBe(1)
  expect(namesIn(seen)[0]).toContain('10.7.0.1')
  expect((await rowsOf(event, 'has=10.7.0.2', as)).totalSize).toBe(0)
  expect((await rowsOf(event, 'has=10.7.0.2')).totalSize).toBe(1)
  const document = await eventOf(event, as)
  expect(document.count).toBe(1)
  expect(document.changes).not.toHaveProperty('count')
  const csv = await read(`/api/events/${event}/rows?limit=0`, as, { accept: 'text/csv' })
  for (const hidden of ['10.7.0.2', '192.0.2.2']) expect(csv).not.toContain(hidden)
  const elsewhere = await newUser({ scopeId: (await newScope({ enterprises: [1] })).id })
  expect(await codesOf(call('GET', `/api/events/${event}/rows`, { as: elsewhere }))).toEqual(['EVENT-0'])
  const unprivileged = await newUser({ privileges: ['USERS_VIEW'] })
  expect((await call('GET', `/api/events/${event}/rows`, { as: unprivileged })).status).toBe(403)
})

test('a user who moved out of sight is in no row of an earlier bulk change, and secrets are in none', async () => {
  const [mine, other] = [await newEnterprise(), await newEnterprise()]
  const scope = await newScope({ enterprises: [mine.id] })
  const role = await newRole()
  const users = [await createdUser(mine.id, { role }), await createdUser(mine.id, { role })]
  const ids = users.map(({ id }) => id)
  const path = `/api/admin/enterprises/${mine.id}/users/action`
  const { event } = await expectStatus(
    200,
    call('POST', `${path}/changeusers`, { body: { ids, active: false } }),
  )
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  expect((await rowsOf(event, '', as)).totalSize).toBe(2)
  const links = [{ rel: 'enterprise', href: `http://console.localhost/api/admin/enterprises/${other.id}` }]
  const [first] = users
  const kept = first.links.filter(({ rel }: { rel: string }) => rel !== 'enterprise')
  await expectStatus(200, putUser(first, { links: [...kept, ...links] }))
  expect(namesIn(await rowsOf(event, '', as))).toEqual([users[1].nick])
  expect((await eventOf(event, as)).count).toBe(1)
  const [last] = users.slice(1)
  const deletion = await expectStatus(200, call('POST', `${path}/deleteusers`, { body: { ids: [last.id] } }))
  const { collection } = await rowsOf(deletion.event)
  expect(Object.keys(collection[0]?.changes ?? {})).toContain('nick')
  expect(JSON.stringify(collection)).not.toMatch(/hash|secret|epoch|password/i)
})

test('the rows of a plan are all that it touched, with the members of roles and scopes', async () => {
  const [scope, enterprise, role] = ['Scope', 'Firm', 'Role'].map(unique)
  const extra = await newEnterprise()
  const body = {
    enterprises: [{ name: enterprise, scope }],
    scopes: [{ name: scope, enterprises: [enterprise, extra.name], datacenters: [] }],
    roles: [{ name: role, privileges: ['USERS_VIEW'] }],
  }
  const apply = async (document: object) => {
    const { id } = await expectStatus(201, call('POST', '/api/plans', { body: document }))
    await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
    const event = await lastEvent('action=apply-plan')
    return { event, rows: await rowsOf(event.id) }
  }
  const first = await apply(body)
  expect(
    first.rows.collection.map(({ entityType, entityName, action }) => [entityType, entityName, action]),
  ).toEqual([
    ['enterprise', enterprise, 'create'],
    ['role', role, 'create'],
    ['scope', scope, 'create'],
  ])
  expect(first.event.count).toBe(3)
  const changed = await apply({ roles: [{ name: role, privileges: ['USERS_VIEW', 'ENTERPRISE_ENUMERATE'] }] })
  expect(changed.rows.collection).toMatchObject([
    { entityName: role, action: 'update', changes: { privileges: { after: 'ENTERPRISE_ENUMERATE' } } },
  ])
  const emptied = await apply({ scopes: [{ name: scope, enterprises: [enterprise] }] })
  expect(emptied.rows.collection).toMatchObject([
    { entityName: scope, changes: { scopeEntities: { before: `${extra.name} (${extra.id})` } } },
  ])
})

test('an event about one resource has one row, that of its own changes', async () => {
  const scope = await newScope()
  const event = await lastEvent(`entity=scope&entityid=${scope.id}`)
  expect(event.count).toBe(1)
  const { collection, totalSize } = await rowsOf(event.id)
  const { entityType, entityId, entityName, action, changes } = event
  expect([totalSize, collection]).toMatchObject([1, [{ entityType, entityId, entityName, action, changes }]])
  expect(collection[0]?.links.map(({ rel }) => rel)).toEqual(['entity'])
  expect((await rowsOf(event.id, 'has=nothing')).totalSize).toBe(0)
  expect((await rowsOf(event.id, 'entity=user')).totalSize).toBe(0)
})
