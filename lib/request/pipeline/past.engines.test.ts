import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
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
