import { expect, test } from 'vitest'
import type { Caller } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { atMoment } from '#lib/request/pipeline/past.server'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { csvOf } from '#lib/tools/testing/csv'
import { passMillisecond } from '#lib/tools/testing/histories'
import {
  createdUser,
  enterpriseLink,
  newRole,
  putUser,
  readUser,
  relinked,
} from '#lib/tools/testing/identity'
import { refer } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, putScope, scopePath } from '#lib/tools/testing/scopes'

const eventsOf = async (id: number) =>
  (await expectStatus(200, call('GET', `/api/events?entity=scope&entityid=${id}&by=id`))).collection

test('a moment that is malformed, in the future, or before the journal is refused', async () => {
  const { id } = await newScope()
  const asof = (moment: string) => refusal(call('GET', `${scopePath(id)}?asof=${moment}`))
  expect(await asof('yesterday')).toEqual([400, 'GEN-22'])
  expect(await asof('2026-01-01')).toEqual([400, 'GEN-22'])
  expect(await asof(new Date(Date.now() + 60_000).toISOString())).toEqual([400, 'ASOF-1'])
  expect(await asof('2001-01-01T00:00:00Z')).toEqual([410, 'ASOF-2'])
  expect(await refusal(call('GET', `${scopePath(999_999)}?asof=yesterday`))).toEqual([404, 'SCOPE-1'])
})

test('a resource that did not exist at the moment is 404, and an answer has no ETag', async () => {
  const first = await newScope()
  const [{ timestamp }] = await eventsOf(first.id)
  while (Date.now() <= Date.parse(timestamp));
  const second = await newScope()
  expect(await refusal(call('GET', `${scopePath(second.id)}?asof=${timestamp}`))).toEqual([404, 'SCOPE-1'])
  const answer = await call('GET', `${scopePath(first.id)}?asof=${timestamp}`)
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, null])
})

test('the links to the other pages of a list keep the moment', async () => {
  const name = unique('Paged')
  for (const end of ['one', 'two', 'three']) await newScope({ name: `${name} ${end}` })
  const moment = new Date().toISOString()
  const list = `/api/admin/scopes?has=${encodeURIComponent(name)}&limit=1&asof=${moment}`
  const { links, totalSize } = await expectStatus(200, call('GET', list))
  expect(totalSize).toBe(3)
  const next = links.find(({ rel }: { rel: string }) => rel === 'next').href
  expect(new URL(next).searchParams.get('asof')).toBe(moment)
  expect((await expectStatus(200, call('GET', next))).collection).toHaveLength(1)
})

test('the past is seen with the sight of now', async () => {
  const [mine, other] = [await newEnterprise(), await newEnterprise()]
  const scope = await newScope({ enterprises: [mine.id, other.id] })
  const limited = await newScope({ enterprises: [mine.id] })
  const as = await newUser({ scopeId: limited.id, enterpriseId: mine.id })
  const hidden = await refusal(call('GET', `${scopePath(scope.id)}?asof=${new Date().toISOString()}`, { as }))
  expect(hidden).toEqual([404, 'SCOPE-1'])
  const colleague = await newUser({ enterpriseId: mine.id })
  const change = (body: object) =>
    expectStatus(
      200,
      call('PUT', scopePath(limited.id), { as: colleague, body: { name: limited.name, ...body } }),
    )
  await change({ scopeEntities: [ofEnterprise(mine.id), ofEnterprise(other.id)] })
  await change({ scopeEntities: [ofEnterprise(mine.id)] })
  const event = (await eventsOf(limited.id)).at(-1)
  const before = await expectStatus(200, call('GET', `/api/events/${event.id}/before`, { as }))
  expect(before.scopeEntities.map(({ idResource }: { idResource: number }) => idResource)).toEqual([mine.id])
  expect(JSON.stringify(before)).not.toContain(other.name)
})

test('a document of an event needs the privilege of reading it, and an undo that of the inverse', async () => {
  const scope = await newScope()
  await expectStatus(200, putScope(scope, { name: unique('Renamed') }))
  const [, event] = await eventsOf(scope.id)
  const as = await newUser({ privileges: ['EVENTLOG_VIEW_ALL'] })
  expect((await call('GET', `/api/events/${event.id}/before`, { as })).status).toBe(403)
  expect((await call('POST', `/api/events/${event.id}/action/undo`, { as })).status).toBe(403)
  const reader = await newUser({ privileges: ['EVENTLOG_VIEW_ALL', 'USERS_VIEW_PRIVILEGES'] })
  await expectStatus(200, call('GET', `/api/events/${event.id}/before`, { as: reader }))
  expect((await call('POST', `/api/events/${event.id}/action/undo`, { as: reader })).status).toBe(403)
})

test('reports of gateways have no past, nor has a filter by them', async () => {
  const { network, center, path, ...ids } = await newMachineWithIps()
  const place = { network, center, path, ...ids }
  await expectStatus(201, call('POST', `${path}/natrules`, { body: ruleBody(place, dnat(80)) }))
  const moment = passMillisecond()
  const rules = `${networksPath(network.datacenter)}/${network.id}/rules`
  const read = async (list: string) => (await expectStatus(200, call('GET', list))).collection[0]
  const { deviceState, ...rule } = await read(rules)
  expect(deviceState).toBe('unmanaged')
  expect(await read(`${rules}?asof=${moment}`)).toEqual(rule)
  expect(await read(`${rules}?limit=0&asof=${moment}`)).toEqual(rule)
  const devices = `/api/cloud/locations/${network.datacenter}/devices`
  const { status, ...device } = await read(devices)
  expect(status).toBe('unmanaged')
  expect(await read(`${devices}?asof=${moment}`)).toEqual(device)
  expect(await refusal(call('GET', `/api/cloud/devices?faulty=true&asof=${moment}`))).toEqual([400, 'GEN-22'])
  const map = `${networksPath(network.datacenter)}/${network.id}/action/addressmap`
  expect(await refusal(call('GET', `${map}?faults=true&asof=${moment}`))).toEqual([400, 'GEN-22'])
})

test('a table at a moment has what the documents lack as it was then, too', async () => {
  const name = unique('Table')
  const enterprise = await newEnterprise()
  const scope = await newScope({ name, enterprises: [enterprise.id] })
  const links = [1, 2].map((id) => refer('privilege', `/api/config/privileges/${id}`))
  const role = await expectStatus(201, call('POST', '/api/admin/roles', { body: { name, links } }))
  const moment = passMillisecond()
  const tables = async () =>
    Promise.all(
      ['roles', 'scopes'].flatMap((list) =>
        ['25', '0'].map(async (limit) => {
          const path = `/api/admin/${list}?has=${encodeURIComponent(name)}&limit=${limit}`
          return [await csvOf(path), await csvOf(`${path}&asof=${moment}`)] as const
        }),
      ),
    )
  const before = await tables()
  for (const [now, then] of before) expect(then).toBe(now)
  await expectStatus(200, call('PUT', `/api/admin/roles/${role.id}`, { body: { name, links: [links[0]] } }))
  const path = `/api/admin/enterprises/${enterprise.id}`
  await expectStatus(200, call('PUT', path, { body: { name: unique('Renamed') } }))
  await expectStatus(200, putScope(scope, { scopeEntities: [] }))
  for (const [index, [now, then]] of (await tables()).entries()) {
    expect(now).not.toBe(then)
    expect(then).toBe(before[index]?.[0])
  }
})

const moved = async (user: { id: number; links: { rel: string }[] }, to: number) => {
  const links = relinked(
    { links: relinked(await readUser(user.id), 'scope') },
    'enterprise',
    enterpriseLink(to),
  )
  await expectStatus(200, putUser(await readUser(user.id), { links }))
}

test('a user who moved to a hidden enterprise is not in the past either, nor after their deletion there', async () => {
  const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
  const scope = await newScope({ enterprises: [mine.id] })
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  const role = await newRole()
  const user = await createdUser(mine.id, { role, scope: scope.id })
  const [event] = (await expectStatus(200, call('GET', `/api/events?entity=user&entityid=${user.id}`)))
    .collection
  const moment = passMillisecond()
  const users = `/api/admin/enterprises/${mine.id}/users`
  const seen = async () => {
    const { collection, totalSize } = await expectStatus(
      200,
      call('GET', `${users}?asof=${moment}&by=id`, { as }),
    )
    const tree = await expectStatus(
      200,
      call('GET', `/api/admin/scopes/action/tree?scope=${scope.id}&asof=${moment}`, { as }),
    )
    return {
      listed: collection.map(({ id }: { id: number }) => id).includes(user.id),
      totalSize,
      document: (await call('GET', `${users}/${user.id}?asof=${moment}`, { as })).status,
      inTree: tree.collection[0].users,
      event: (await call('GET', `/api/events/${event.id}`, { as })).status,
      after: (await call('GET', `/api/events/${event.id}/after`, { as })).status,
    }
  }
  const shown = { listed: true, totalSize: 2, document: 200, inTree: 2, event: 200, after: 200 }
  const absent = { listed: false, totalSize: 1, document: 404, inTree: 1, event: 404, after: 404 }
  expect(await seen()).toEqual(shown)
  await moved(user, hidden.id)
  expect(await seen()).toEqual(absent)
  await expectStatus(204, call('DELETE', `/api/admin/enterprises/${hidden.id}/users/${user.id}`))
  expect(await seen()).toEqual(absent)
})

test('a deleted user who had not moved is in the past', async () => {
  const mine = await newEnterprise()
  const scope = await newScope({ enterprises: [mine.id] })
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  const user = await createdUser(mine.id, { role: await newRole(), scope: scope.id })
  const moment = passMillisecond()
  const path = `/api/admin/enterprises/${mine.id}/users/${user.id}`
  await expectStatus(204, call('DELETE', path))
  expect((await expectStatus(200, call('GET', `${path}?asof=${moment}`, { as }))).nick).toBe(user.nick)
})

test('lists of what a caller does not see are refused at a moment as they are now', async () => {
  const { network, center, enterprise } = await newMachineWithIps()
  const moment = passMillisecond()
  const { id: scopeId } = await newScope()
  const as = await newUser({ scopeId })
  const asof = (path: string) => refusal(call('GET', `${path}?asof=${moment}`, { as }))
  const networks = networksPath(network.datacenter)
  expect(await asof(`${networks}/${network.id}/ips`)).toEqual([404, 'DC-0'])
  expect(await asof(`${networks}/action/allrules`)).toEqual([404, 'DC-0'])
  expect(await asof(`${networks}/${network.id}/action/addressmap`)).toEqual([404, 'DC-0'])
  expect(await asof(`/api/admin/enterprises/${enterprise}/users`)).toEqual([404, 'EN-0'])
  expect(await asof(`/api/cloud/virtualdatacenters/${center}/privateips`)).toEqual([404, 'VDC-0'])
  const all = `/api/admin/natnetworks/action/allips?all=true&asof=${moment}`
  expect((await expectStatus(200, call('GET', all, { as }))).totalSize).toBe(0)
  const without = await newUser({ privileges: ['USERS_VIEW'] })
  expect((await call('GET', `${networks}/${network.id}/ips?asof=${moment}`, { as: without })).status).toBe(
    403,
  )
})

test('a user who reads many lists of the past leaves turns to others', async () => {
  const callers = [await newUser(), await newUser()].map(({ id }) => ({ caller: { id } as Caller }))
  const moment = Date.now() * 1000
  const began: number[] = []
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const read = (index: number) =>
    atMoment(callers[index] ?? expect.fail(), moment, () => {
      began.push(index)
      return promise
    })
  const reads = [read(0), read(0), read(0), read(1)]
  while (began.length < 3) await new Promise(setImmediate)
  expect(began).toEqual([0, 0, 1])
  end()
  await Promise.all(reads)
  expect(began).toEqual([0, 0, 1, 0])
})

test('credentials are in no past row', async () => {
  const user = await newUser()
  const rows = await transaction((trx) =>
    trx
      .selectFrom('past_rows')
      .where('source', '=', 'users')
      .where('content', 'is not', null)
      .select('content')
      .execute(),
  )
  const { id, enterpriseId } = user
  await expectStatus(204, call('DELETE', `/api/admin/enterprises/${enterpriseId}/users/${id}`))
  const [kept] = await transaction((trx) =>
    trx
      .selectFrom('past_rows')
      .where('source', '=', 'users')
      .where('id', '=', id)
      .orderBy('until', 'desc')
      .select('content')
      .execute(),
  )
  expect(kept?.content).toContain(user.nick)
  for (const { content } of [...rows, kept ?? { content: '' }])
    expect(Object.keys(JSON.parse(content || '{}'))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/password|secret|epoch/)]),
    )
})
