import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import { admin, codesOf, expectStatus } from '#lib/tools/testing/client'
import { newPostgresServer, type PostgresServer } from '#lib/tools/testing/postgres-server'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'

/* The database goes and comes back while the server runs; an embedded one is never away. */

const isServed = env().DATABASE_URL !== undefined
const onPostgres = test.runIf(isServed)

let database: PostgresServer
let server: ApiProcess

if (isServed) {
  beforeAll(async () => {
    database = await newPostgresServer()
    await database.start()
    server = await startApi({ DATA_DIR: env().DATA_DIR, DATABASE_URL: database.url })
  }, 120_000)

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    await database.remove()
  }, 30_000)
}

const { nick, password } = admin
const signIn = (other: object = {}) => ask(server, '/api/session', { body: { nick, password, ...other } })

async function signedIn() {
  const [token, session] = await Promise.all([ask(server, '/api/login', { as: admin }), signIn()])
  return {
    token: { authorization: `Token ${tokenOf(token)}` },
    cookie: { cookie: pairOf(cookiesOf(session).console) },
  }
}

async function expectAway(answer: Promise<Response>): Promise<void> {
  const response = await answer
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await codesOf(response)).toEqual(['503-UNAVAILABLE'])
}

const isBack = () => expect(statusOf(ask(server, '/readyz'))).resolves.toBe(200)

const SLOW = { timeout: 120_000 }

onPostgres(
  'while the database is away every request is 503 with Retry-After, and none needs to sign in again afterwards',
  SLOW,
  async () => {
    const { token, cookie } = await signedIn()
    await database.stop()
    for (let index = 0; index < 2; index += 1) {
      for (const headers of [token, cookie]) {
        await expectAway(ask(server, '/api/login', { headers }))
        await expectAway(ask(server, '/api/admin/scopes?limit=0', { headers }))
        await expectAway(
          ask(server, '/api/admin/datacenters', { headers, body: { name: 'A', location: '' } }),
        )
        await expectAway(ask(server, '/api/session', { headers }))
      }
      await expectAway(ask(server, '/api/login', { as: admin }))
      await expectAway(signIn())
      await expectAway(signIn({ password: 'wrong' }))
    }
    expect(await statusOf(ask(server, '/healthz'))).toBe(200)
    expect(await statusOf(ask(server, '/metrics'))).toBe(200)
    expect(await statusOf(ask(server, '/readyz'))).toBe(503)
    expect(await (await ask(server, '/scopes')).text()).toBe('a page of the console')

    await database.start()
    await isBack()
    for (const headers of [token, cookie])
      expect(await statusOf(ask(server, '/api/login', { headers }))).toBe(200)
    await expectStatus(200, signIn())
    expect(server.process.exitCode).toBeNull()
  },
)

/** Of two kilobytes each: more than the buffers between a server and a client that does not read. */
const MANY = 12_000

onPostgres('a list that is being read breaks off, and leaves nothing behind', SLOW, async () => {
  const { token: headers } = await signedIn()
  await database.sql(
    `insert into datacenters (name, name_key, location)
     select 'Many ' || n, 'many ' || n, repeat('x', 2000) from generate_series(1, ${MANY}) as n`,
  )
  const begin = async () => {
    const answer = await ask(server, '/api/admin/datacenters?limit=0', { headers })
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    return async () => {
      for (;;) if ((await reader?.read())?.done !== false) return 'whole'
    }
  }
  // As many as there are connections for lists.
  const readers = await Promise.all(Array.from({ length: 10 }, begin))
  await database.stop()
  for (const readOn of readers) await expect(readOn()).rejects.toThrow()

  await database.start()
  await isBack()
  const last = `/api/admin/datacenters?limit=0&startwith=${MANY - 10}`
  expect((await expectStatus(200, ask(server, last, { headers }))).totalSize).toBeGreaterThanOrEqual(MANY)
})

onPostgres('a database that is killed is found again as soon as it is back', SLOW, async () => {
  const { token: headers } = await signedIn()
  await database.kill()
  // The server's processes notice a moment later that their parent is gone.
  await vi.waitFor(() => expectAway(ask(server, '/api/login', { headers })), { timeout: 10_000 })
  await vi.waitFor(() => database.start(), { timeout: 20_000, interval: 200 })
  // Each connection of the server learns of its end by itself, on a busy machine a moment after the new start.
  await vi.waitFor(isBack, { timeout: 10_000 })
  await vi.waitFor(() => expect(statusOf(ask(server, '/api/login', { headers }))).resolves.toBe(200), {
    timeout: 10_000,
  })
})
