import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { eventsOf } from '#lib/tools/testing/inventory'
import { refusal } from '#lib/tools/testing/refusal'

const send = (enterprise: number | '_', body: unknown, as?: User) =>
  call('POST', `/api/admin/enterprises/${enterprise}/users/action/changeusers`, { body, ...(as && { as }) })

const bulk = (enterprise: number | '_', body: unknown, as?: User) =>
  expectStatus(200, send(enterprise, body, as))

const remove = (enterprise: number, body: unknown) =>
  expectStatus(200, call('POST', `/api/admin/enterprises/${enterprise}/users/action/deleteusers`, { body }))

const threeUsers = async () => {
  const { id } = await newEnterprise()
  const users = []
  for (let number = 0; number < 3; number += 1)
    users.push(await newUser({ enterpriseId: id, privileges: ['USERS_VIEW'] }))
  return { id, users }
}

const read = (enterprise: number, user: number) =>
  expectStatus(200, call('GET', `/api/admin/enterprises/${enterprise}/users/${user}`))

const newRole = (privileges: Parameters<typeof insertRole>[1]['privileges']) =>
  transaction((trx) => insertRole(trx, { name: unique('Role'), privileges }))

const roleLinks = (id: number) => [{ rel: 'role', href: `${ORIGIN}/api/admin/roles/${id}` }]

test('users are disabled and enabled by the filter of their list; a disabled user has no access', async () => {
  const { id, users } = await threeUsers()
  const [one] = users
  expect(await bulk(id, { filter: 'active=true', active: false })).toMatchObject({ total: 3, changed: 3 })
  expect((await call('GET', '/api/login', { as: one })).status).toBe(401)
  expect(await bulk(id, { filter: '', active: false })).toMatchObject({ changed: 0, unchanged: 3 })
  expect(await bulk(id, { filter: '', active: true })).toMatchObject({ changed: 3 })
  expect((await call('GET', '/api/login', { as: one })).status).toBe(200)
  const events = await eventsOf('enterprise', id)
  expect(events.map(({ action }: { action: string }) => action)).toEqual(['change-users', 'change-users'])
  expect(events[0].changes).toMatchObject({ count: { after: '3' }, active: { after: 'false' } })
})

test('users get a role and keep the rest', async () => {
  const { id, users } = await threeUsers()
  const role = await newRole(['USERS_VIEW'])
  const ids = users.map((user) => user.id)
  const [first = 0] = ids
  const before = await read(id, first)
  expect(await bulk('_', { ids, links: roleLinks(role) })).toMatchObject({ changed: 3, ids })
  const after = await read(id, first)
  expect(after.links.find(({ rel }: { rel: string }) => rel === 'role').href).toMatch(`/roles/${role}`)
  expect({ ...after, links: [] }).toEqual({ ...before, links: [] })
})

test('each user is refused as by the single change, and the caller among them', async () => {
  const { id, users } = await threeUsers()
  const strong = await newUser({ enterpriseId: id })
  const as = await newUser({ enterpriseId: id, privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS'] })
  const stranger = await newUser({ privileges: ['USERS_VIEW'] })
  const report = await bulk('_', { ids: [users[0]?.id, strong.id, as.id, stranger.id], active: false }, as)
  expect(report).toMatchObject({ changed: 1, refused: 3 })
  expect(report.refusals.map(({ id, code }: { id: number; code: string }) => [id, code])).toEqual([
    [strong.id, 'GEN-15'],
    [as.id, 'GEN-15'],
    [stranger.id, '403-FORBIDDEN'],
  ])
  expect((await bulk(id, { ids: [stranger.id], active: false })).refusals).toMatchObject([{ code: 'USER-0' }])
})

test('a role with more privileges than the caller has is refused for every user', async () => {
  const { id, users } = await threeUsers()
  const as = await newUser({
    enterpriseId: id,
    privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_VIEW_PRIVILEGES'],
  })
  const role = await newRole(['USERS_VIEW', 'MANAGE_NATIPS'])
  const report = await bulk(id, { ids: users.map((user) => user.id), links: roleLinks(role) }, as)
  expect(report).toMatchObject({ changed: 0, refused: 3 })
})

test('the operation needs the privilege, a role that exists and a filter of the list', async () => {
  const { id } = await threeUsers()
  const as = await newUser({ privileges: ['USERS_VIEW'] })
  expect((await send('_', { filter: '', active: false }, as)).status).toBe(403)
  expect(await refusal(send(id, { filter: '', links: roleLinks(999_999_999) }))).toEqual([404, 'ROLE-0'])
  expect(await refusal(send(id, { filter: 'active=perhaps', active: true }))).toEqual([400, 'GEN-22'])
})

test('users are locked, unlocked and deleted, each state apart from the others', async () => {
  const { id, users } = await threeUsers()
  await bulk(id, { filter: '', active: false })
  expect(await bulk(id, { filter: '', locked: true })).toMatchObject({ changed: 3 })
  expect(await read(id, users[0]?.id ?? 0)).toMatchObject({ active: false, locked: true })
  expect(await bulk(id, { filter: 'locked=true', locked: false })).toMatchObject({ changed: 3 })
  expect(await remove(id, { filter: 'active=false' })).toMatchObject({ total: 3, changed: 3 })
  expect(await expectStatus(200, call('GET', `/api/admin/enterprises/${id}/users`))).toMatchObject({
    totalSize: 0,
  })
})
