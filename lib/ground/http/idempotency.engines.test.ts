import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { removeExpiredKeys } from '#lib/request/pipeline/idempotency.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import {
  type Call,
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  unique,
} from '#lib/tools/testing/client'
import { centerPath } from '#lib/tools/testing/inventory'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, newTenIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { type Resource, resources } from '#lib/tools/testing/resources'
import { newScope, SCOPES, scopeBody } from '#lib/tools/testing/scopes'
import { codeOf, secretOf } from '#lib/tools/testing/totp'
import { toXml } from '#lib/tools/testing/xml'

const onPostgres = env().DATABASE_URL ? test : () => {}

let all: Resource[]

beforeAll(async () => {
  all = await resources()
})

afterEach(() => {
  vi.useRealTimers()
})

const newKey = () => unique('key').replaceAll(' ', '-')

const post = (path: string, key: string, { headers, ...sent }: Call = {}) =>
  call('POST', path, { ...sent, headers: { 'idempotency-key': key, ...headers } })

const parts = async (response: Response) => ({
  status: response.status,
  location: response.headers.get('location'),
  tag: response.headers.get('etag'),
  replayed: response.headers.get('idempotency-replayed'),
  text: await response.text(),
})

const events = async (): Promise<number> =>
  (await expectStatus(200, call('GET', '/api/events?limit=1'))).totalSize

/** Sends the same request twice. The second one must change nothing and get the first response. */
async function twice(path: string, sent: Call) {
  const key = newKey()
  const first = await parts(await post(path, key, sent))
  expect([path, first.status, first.replayed]).toEqual([path, expect.toBeOneOf([200, 201]), null])
  const before = await events()
  const again = await parts(await post(`${path}/`, key, sent))
  expect(again).toEqual({ ...first, replayed: 'true' })
  expect(await events()).toBe(before)
  return { key, first }
}

describe('a repeated request', () => {
  // A commit that writes waits for the replica, which may not have the first change yet.
  onPostgres('writes, so that its commit is confirmed, too', async () => {
    const key = newKey()
    const body = scopeBody()
    await expectStatus(201, post(SCOPES, key, { body }))
    const writer = async () =>
      (await sql`select xmin from idempotency_keys where name = ${key}`.execute(database().read)).rows
    const before = await writer()
    await expectStatus(201, post(SCOPES, key, { body }))
    expect(await writer()).not.toEqual(before)
  })

  test('creates one resource of each kind, also in the other format', async () => {
    expect(all.length).toBeGreaterThan(10)
    for (const { name, list, body } of all) {
      const document = await body()
      const { key, first } = await twice(list, { body: document })
      const xml = { accept: 'application/xml', 'content-type': 'application/xml' }
      const inXml = await post(list, key, { body: toXml(name, document), headers: xml })
      expect([name, inXml.status, inXml.headers.get('idempotency-replayed')]).toEqual([name, 201, 'true'])
      expect(inXml.headers.get('etag')).toBeNull()
      expect(inXml.headers.get('location')).toBe(first.location)
    }
  })

  test('creates one rule, one run of IPs, one bulk change, and reads one preview', async () => {
    const machine = await newMachineWithIps()
    await twice(`${machine.path}/natrules`, { body: ruleBody(machine, dnat(80)) })
    const network = await newTenIps()
    const path = networksPath(network.datacenter)
    await twice(`${path}/${network.id}/ips`, { body: { numips: 3 } })
    const { id } = await ipOf(network, '192.0.2.1')
    await twice(`${path}/action/changeips`, { body: { ids: [id], quarantine: true } })
    await twice(`${SCOPES}/${(await newScope()).id}/action/impact`, {})
  })

  test('has no secret, and the ETag of the first response', async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/_/users/${user.id}/applications`
    const [key, body] = [newKey(), { name: unique('Program'), callbackURLs: [] }]
    const first = await post(path, key, { as: user, body })
    const { apiSecret, ...shown } = await expectStatus(201, first)
    expect(apiSecret).toBeTruthy()
    const again = await post(path, key, { as: user, body })
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await expectStatus(201, again)).toEqual(shown)
  })

  test('of enable2fa has neither the address for the authenticator nor scratch codes', async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
    const [key, body] = [newKey(), { type: 'APP_AUTHENTICATOR' }]
    const { authenticatorURL, scratchCodes } = await expectStatus(
      201,
      await post(path, key, { as: user, body }),
    )
    expect([authenticatorURL, scratchCodes]).toEqual([expect.any(String), expect.any(Array)])
    const code = codeOf(secretOf(authenticatorURL))
    const again = await post(path, key, { as: user, body, headers: { 'x-service-otp': code } })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const text = JSON.stringify(await expectStatus(201, again))
    expect(text).not.toMatch(/authenticatorURL|scratchCodes/)
  })

  test('that has no document has none again', async () => {
    const [user, key] = [await newUser(), newKey()]
    const actions = `/api/admin/enterprises/_/users/${user.id}/action`
    const enabling = call('POST', `${actions}/enable2fa`, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
    const { scratchCodes } = await expectStatus(201, enabling)
    const disable = (headers = {}) => post(`${actions}/disable2fa`, key, { as: user, headers })
    await expectStatus(204, disable({ 'x-service-otp': scratchCodes[0] }))
    const again = await disable()
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true'])
  })

  test('keeps no password in the database', async () => {
    const users = all.find(({ name }) => name === 'user') as Resource
    const body = { ...(await users.body()), password: 'a very private password' }
    await twice(users.list, { body })
    const rows = await database().read.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('private password')
  })
})

describe('a key', () => {
  test.each([
    ['an empty text', ''],
    ['a space', 'a b'],
    ['two headers', 'a, a'],
    ['a letter outside ASCII', 'clé'],
    ['256 characters', 'x'.repeat(256)],
    ['an open quotation mark', '"abc'],
    ['an empty quoted text', '""'],
    ['a parameter', '"abc";q=1'],
    ['a quotation mark inside', '"a"b"'],
    ['an escaped letter', '"a\\b"'],
  ])('with %s is IDEMPOTENCY-1, for every operation that takes one', async (_, key) => {
    const body = scopeBody()
    const refused = await post(SCOPES, key, { body })
    expect([refused.status, await codesOf(refused)]).toEqual([400, ['IDEMPOTENCY-1']])
    const { totalSize } = await expectStatus(
      200,
      call('GET', `${SCOPES}?has=${encodeURIComponent(body.name)}`),
    )
    expect(totalSize).toBe(0)
  })

  test.each([
    ['255 characters', 'x'.repeat(255), `"${'x'.repeat(255)}"`],
    ['quotation marks and backslashes', 'a"b\\c"', '"a\\"b\\\\c\\""'],
  ])('of %s, bare or quoted, is one key', async (_, bare, quoted) => {
    const [as, body] = [await newUser(), scopeBody()]
    await expectStatus(201, post(SCOPES, bare, { as, body }))
    expect((await post(SCOPES, quoted, { as, body })).headers.get('idempotency-replayed')).toBe('true')
  })

  test('counts for each spelling of a path, and for all of them as one', async () => {
    const [key, body] = [newKey(), scopeBody()]
    await expectStatus(201, post(SCOPES, key, { body }))
    for (const path of ['/api//admin/scopes', '//api/admin/scopes/', '/api/%61dmin/scop%65s'])
      expect((await post(path, key, { body })).headers.get('idempotency-replayed')).toBe('true')
  })

  test('is ignored by other methods and below other paths', async () => {
    const headers = { 'idempotency-key': 'a b' }
    await expectStatus(200, call('GET', SCOPES, { headers }))
    const { id } = await newScope()
    await expectStatus(200, call('PUT', `${SCOPES}/${id}`, { body: scopeBody(), headers }))
  })

  test('of another request is IDEMPOTENCY-2: another path, query or body', async () => {
    const [key, body] = [newKey(), scopeBody()]
    await expectStatus(201, post(SCOPES, key, { body }))
    const others: [string, object][] = [
      [SCOPES, scopeBody()],
      [`${SCOPES}?a=1`, body],
      ['/api/admin/enterprises', body],
    ]
    for (const [path, other] of others) {
      const refused = await post(path, key, { body: other })
      expect([path, refused.status, await codesOf(refused)]).toEqual([path, 422, ['IDEMPOTENCY-2']])
    }
  })

  test('is free again after a refusal', async () => {
    const [key, body] = [newKey(), scopeBody()]
    await expectStatus(400, post(SCOPES, key, { body: { name: '' } }))
    await expectStatus(409, post(SCOPES, key, { body: await takenName() }))
    const made = await post(SCOPES, key, { body })
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  test('is free again after IDEMPOTENCY_HOURS, and not sooner', async () => {
    const [key, { id }] = [newKey(), await newScope()]
    const replayed = async () =>
      (await post(`${SCOPES}/${id}/action/impact`, key)).headers.get('idempotency-replayed')
    const left = async () =>
      (await database().read.selectFrom('idempotency_keys').where('name', '=', key).selectAll().execute())
        .length
    const [now, life] = [Date.now(), env().IDEMPOTENCY_HOURS * 3_600_000]
    vi.useFakeTimers({ toFake: ['Date'], now })
    expect(await replayed()).toBeNull()
    vi.setSystemTime(now + life - 1)
    await removeExpiredKeys()
    expect(await replayed()).toBe('true')
    vi.setSystemTime(now + life)
    expect([await replayed(), await replayed()]).toEqual([null, 'true'])
    vi.setSystemTime(now + 2 * life)
    await removeExpiredKeys()
    expect(await left()).toBe(0)
  })

  test('belongs to its user, also at the same time', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const sent = [
      [one, 'a'],
      [one, 'b'],
      [other, 'a'],
    ] as const
    const answers = await Promise.all(sent.map(([as, key]) => post(SCOPES, key, { as, body: scopeBody() })))
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(
      sent.map(() => [201, null]),
    )
  })

  test('of requests at once makes one resource: the others get IDEMPOTENCY-3 or the first response', async () => {
    const [key, body] = [newKey(), scopeBody()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(SCOPES, key, { body })))
    const made = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
    )
    expect(made).toHaveLength(1)
    const busy = answers.filter(({ status }) => status === 409)
    expect(busy.length).toBeGreaterThan(0)
    for (const refused of busy) {
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await codesOf(refused)).toEqual(['IDEMPOTENCY-3'])
    }
    const { totalSize } = await expectStatus(
      200,
      call('GET', `${SCOPES}?has=${encodeURIComponent(body.name)}`),
    )
    expect(totalSize).toBe(1)
  })
})

test('every POST below /api/admin and /api/cloud goes through the pipeline that reads the key', async () => {
  const posts = (await loadRoutes()).flatMap(({ path, handlers }) =>
    /^\/api\/(admin|cloud)\//.test(path) && handlers.POST ? [[path, handlers.POST.spec.kind]] : [],
  )
  expect(posts.length).toBeGreaterThan(25)
  expect(posts.filter(([, kind]) => kind === 'open')).toEqual([])
})

test('while another process runs the first request, others get IDEMPOTENCY-3', async () => {
  const [key, body, user] = [newKey(), scopeBody(), await newUser()]
  const lock = `${user.id} ${key}`
  // The embedded database serves one process.
  if (database().engine === 'sqlite') return
  await transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
    const refused = await post(SCOPES, key, { as: user, body })
    expect([refused.status, await codesOf(refused)]).toEqual([409, ['IDEMPOTENCY-3']])
  })
  await expectStatus(201, post(SCOPES, key, { as: user, body }))
})

const takenName = async () => ({ name: (await newScope()).name })

const relsOf = ({ links }: { links: { rel: string }[] }) => links.map(({ rel }) => rel)

describe('for a caller who has lost privileges or visibility', () => {
  test('is 401, 403 and 404 as without the key', async () => {
    const { list, body } = all.find(({ name }) => name === 'virtualdatacenter') as Resource
    const [key, document] = [newKey(), await body()]
    const { id } = await expectStatus(201, post(list, key, { body: document }))
    expect((await post(list, key, { as: null, body: document })).status).toBe(401)
    await expectStatus(204, call('DELETE', centerPath(id)))
    const refused = await post(list, key, { body: document })
    expect([refused.status, await codesOf(refused)]).toEqual([404, ['VDC-0']])
  })

  test('a link to a resource that is hidden by now is left out', async () => {
    const enterprise = await newEnterprise()
    const parent = await newScope({ enterprises: [enterprise.id] })
    const user = await newUser({ scopeId: parent.id, enterpriseId: enterprise.id })
    const [key, body] = [newKey(), scopeBody({ parent: parent.id })]
    const made = await expectStatus(201, post(SCOPES, key, { as: user, body }))
    expect(relsOf(made)).toContain('scopeParent')
    await transaction((trx) =>
      trx.updateTable('users').set({ scope_id: made.id }).where('id', '=', user.id).execute(),
    )
    const again = await expectStatus(201, post(SCOPES, key, { as: user, body }))
    expect(relsOf(again)).not.toContain('scopeParent')
  })

  test('a link in a list to a resource that is gone is left out', async () => {
    const network = await newTenIps()
    const scope = await newScope({ datacenters: [network.datacenter] })
    const as = await newUser({ scopeId: scope.id })
    const ips = `${networksPath(network.datacenter)}/${network.id}/ips`
    const [key, body] = [newKey(), { numips: 2 }]
    const made = await expectStatus(201, post(ips, key, { as, body }))
    const [gone, left] = made.collection.map(relsOf)
    expect(gone).toContain('self')
    await expectStatus(204, call('DELETE', `${ips}/${made.collection[0].id}`))
    const again = await expectStatus(201, post(ips, key, { as, body }))
    expect(again.collection.map(relsOf)).toEqual([gone.filter((rel: string) => rel !== 'self'), left])
  })
})
