import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastChangeQuery, newsQuery } from '#lib/record/events/news.queries'
import {
  admin,
  basicOf,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  router,
  type User,
  unique,
} from '#lib/tools/testing/client'

/* The console's query for the changes of others. */

let reader: User

beforeEach(async () => {
  const { fetch } = await router()
  reader = await newUser()
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const request = new Request(ORIGIN + path, init)
    request.headers.set('authorization', basicOf(reader))
    return fetch(request)
  })
})

afterEach(() => vi.unstubAllGlobals())

const news = (since: number) => new QueryClient().fetchQuery(newsQuery('role', since, reader.nick))

const newRole = (as: User) =>
  expectStatus(201, call('POST', '/api/admin/roles', { as, body: { name: unique('Role') } }))

/** Other tests' changes are over by then, also those that they made in the future: the question looks back two seconds. */
async function later(): Promise<number> {
  const { collection } = await expectStatus(
    200,
    call('GET', '/api/events?entity=role&limit=1&by=timestamp&asc=false'),
  )
  return Math.max(Date.now(), Date.parse(collection[0]?.timestamp ?? 0)) + 3000
}

test('changes of others are news, one\u2019s own are not', async () => {
  const since = await later()
  vi.useFakeTimers({ now: since, toFake: ['Date'] })
  expect(await news(since)).toBe(0)
  await newRole(reader)
  expect(await news(since)).toBe(0)
  await newRole(admin)
  await newRole(admin)
  expect(await news(since)).toBe(2)
  await newEnterprise()
  expect(await news(since)).toBe(2)
  vi.useRealTimers()
})

test('the last change of a resource names its user', async () => {
  const { id } = await newRole(reader)
  const path = `/api/admin/roles/${id}`
  await expectStatus(200, call('PUT', path, { as: admin, body: { id, name: unique('Renamed') } }))
  const document = await expectStatus(200, call('GET', path))
  expect(await new QueryClient().fetchQuery(lastChangeQuery(document, '"1"'))).toMatchObject({
    user: admin.nick,
    action: 'update',
    entityId: id,
  })
})
