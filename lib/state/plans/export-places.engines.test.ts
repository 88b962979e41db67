import { expect, test, vi } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { admin, call, expectStatus, newUser, type User } from '#lib/tools/testing/client'

const read = (as: User, query = '') => call('GET', `/api/export?limit=0${query}`, { as })

test('a user reads two exports at a time, and a process serves eight; an unread one delays no writer', async () => {
  const as = await newUser()
  const open = [await read(as), await read(as, '&entity=scopes')]
  const refused = await read(as)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  const others = await Promise.all([newUser(), newUser(), newUser()])
  for (const other of others) open.push(await read(other), await read(other))
  expect((await read(admin)).status).toBe(429)
  expect(await transaction(async () => 'written')).toBe('written')
  const [first, second, ...rest] = open
  await first?.body?.cancel()
  await second?.text()
  for (const { body } of rest) await body?.cancel()
  await expectStatus(200, read(as))
})

test('an export breaks off after its reader has lost the right', async () => {
  const as = await newUser()
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const { body } = await read(as)
  await transaction((trx) => trx.updateTable('users').set({ active: 0 }).where('id', '=', as.id).execute())
  clock.mockImplementation(() => now + 5000)
  await expect(new Response(body).text()).rejects.toThrow('broke off')
  vi.restoreAllMocks()
})
