import { afterEach, expect, test, vi } from 'vitest'
import { type ApiFailure, api } from '#lib/client/api'
import { createOnce } from '#lib/client/once'
import { admin, basicOf, call, expectStatus, ORIGIN, router, unique } from '#lib/tools/testing/client'

afterEach(() => vi.unstubAllGlobals())

const SCOPES = '/api/admin/scopes'
type Named = { id: number; name: string }

/** The browser in front of the API. `lost`: this many answers arrive after the browser has gone. */
async function browser({ lost = 0 } = {}) {
  const { fetch } = await router()
  const keys: (string | null)[] = []
  let left = lost
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const request = new Request(ORIGIN + path, init)
    request.headers.set('authorization', basicOf(admin))
    if (init.method === 'POST') keys.push(request.headers.get('idempotency-key'))
    const response = await fetch(request)
    if (left-- > 0) throw new TypeError('Failed to fetch')
    return response
  })
  return keys
}

const create = (once: ReturnType<typeof createOnce>, name: string) =>
  api<Named>(SCOPES, { method: 'POST', body: { name, links: [] }, once })

const named = async (name: string): Promise<number> =>
  (await expectStatus(200, call('GET', `${SCOPES}?has=${encodeURIComponent(name)}`))).totalSize

const failureOf = (sent: Promise<unknown>): Promise<ApiFailure> =>
  sent.then(
    () => Promise.reject(new Error('A failure was expected')),
    (failure) => failure,
  )

test('two submits of one form create one resource, and both get it', async () => {
  const keys = await browser()
  const once = createOnce()
  const name = unique('Twice')
  const [one, other] = await Promise.all([create(once, name), create(once, name)])
  expect(other.id).toBe(one.id)
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]))
  expect(await named(name)).toBe(1)
})

test('a repeat after a lost answer gets the result of the first attempt', async () => {
  await browser({ lost: 1 })
  const once = createOnce()
  const name = unique('Lost')
  expect((await failureOf(create(once, name))).status).toBe(0)
  expect((await create(once, name)).name).toBe(name)
  expect(await named(name)).toBe(1)
})

test('a changed repeat after a lost answer reports that the first attempt was saved; the next creates another', async () => {
  await browser({ lost: 1 })
  const once = createOnce()
  const [name, changed] = [unique('Before'), unique('After')]
  await failureOf(create(once, name))
  expect((await failureOf(create(once, changed))).has('IDEMPOTENCY-2')).toBe(true)
  expect(await named(changed)).toBe(0)
  await create(once, changed)
  expect([await named(name), await named(changed)]).toEqual([1, 1])
})

test('a refused form is changed and sent with the same key; after a success the form creates another resource', async () => {
  const keys = await browser()
  const once = createOnce()
  const name = unique('Refused')
  await create(createOnce(), name)
  expect((await failureOf(create(once, name))).status).toBe(409)
  const changed = await create(once, unique('Changed'))
  const next = await create(once, unique('Next'))
  expect(next.id).not.toBe(changed.id)
  expect(keys[1]).toBe(keys[2])
  expect(new Set(keys).size).toBe(3)
})

test('a form that is opened again creates another resource', async () => {
  const keys = await browser()
  await create(createOnce(), unique('One'))
  await create(createOnce(), unique('Other'))
  expect(new Set(keys).size).toBe(2)
})
