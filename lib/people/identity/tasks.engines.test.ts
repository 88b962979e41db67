import { expect, test } from 'vitest'
import { call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { createdUser, newRole, usersOf } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'

const pathOf = (enterprise: number | '_', user: number) =>
  `${usersOf(enterprise)}/${user}/action/pendingtasks`

test('the list of pending tasks is always empty, with its page links', async () => {
  const { id, enterpriseId } = await newUser()
  const path = pathOf(enterpriseId, id)
  const href = `${ORIGIN}${path}?limit=25&by=id`
  const first = { rel: 'first', href }
  const last = { rel: 'last', href: `${ORIGIN}${path}?startwith=0&limit=25&by=id` }
  const list = { links: [first, last], collection: [], totalSize: 0 }
  expect(await expectStatus(200, call('GET', path))).toEqual(list)
  const response = await call('GET', path, { headers: { accept: 'application/vnd.service.tasks+xml' } })
  expect(response.headers.get('content-type')).toBe('application/vnd.service.tasks+xml')
  expect(await response.text()).toMatch(/<tasks><link .*<totalSize>0<\/totalSize><\/tasks>$/)
  expect(await refusal(call('GET', `${path}?by=name`))).toEqual([400, 'QUERY-0'])
  expect(await refusal(call('GET', pathOf('_', 999999999)))).toEqual([404, 'USER-0'])
})

test('users can list their own tasks; those of others need the privileges of the user', async () => {
  const as = await newUser({ privileges: [] })
  await expectStatus(200, call('GET', pathOf('_', as.id), { as }))
  const other = await createdUser(as.enterpriseId, { role: await newRole() })
  await expectStatus(403, call('GET', pathOf(as.enterpriseId, other.id), { as }))
  const viewer = await newUser({ privileges: ['USERS_VIEW'] })
  await expectStatus(200, call('GET', pathOf('_', other.id), { as: viewer }))
})
