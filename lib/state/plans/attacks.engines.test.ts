import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as passwords from '#lib/caller/auth/passwords.server'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { space } from '#lib/state/plans/kept.server'
import { anyPlanWriter } from '#lib/state/plans/present.server'
import { bounds } from '#lib/state/plans/read.server'
import {
  admin,
  basicOf,
  call,
  codesOf,
  expectStatus,
  newUser,
  ORIGIN,
  router,
  type User,
  unique,
} from '#lib/tools/testing/client'

/* Documents of callers with few privileges, and documents that are expensive. */

const { items } = bounds
beforeAll(() => {
  bounds.items = 2500
})
afterAll(() => {
  bounds.items = items
})

/** A request whose body is made as it is read. Counts the pieces. */
async function send(pieces: Iterable<string>, as: User, headers: Record<string, string> = {}) {
  const encoder = new TextEncoder()
  const left = pieces[Symbol.iterator]()
  const read = { pieces: 0 }
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = left.next()
      if (done) return controller.close()
      read.pieces += 1
      controller.enqueue(encoder.encode(value))
    },
  })
  const request = new Request(`${ORIGIN}/api/plans`, {
    method: 'POST',
    body,
    ...{ duplex: 'half' },
    headers: { authorization: basicOf(as), 'content-type': 'application/json', ...headers },
  })
  return { response: await (await router()).fetch(request), read }
}

function* repeated(first: string, piece: string, count: number): Generator<string> {
  yield first
  for (let index = 0; index < count; index += 1) yield piece
}

/** The lists in a plan's document, and the operations that change them. */
const changes =
  /^\/api\/(admin\/(enterprises|scopes|roles)(\/\[\w+\])?|admin\/enterprises\/\[\w+\]\/users(\/\[\w+\])?|admin\/datacenters\/\[\w+\]\/natnetworks(\/\[\w+\](\/ips(\/\[\w+\])?)?)?|cloud\/virtualdatacenters\/\[\w+\]\/natips\/(\[\w+\]|topurchase\/\[\w+\]|purchased\/\[\w+\])|cloud\/.*\/natrules(\/\[\w+\])?)$/

test('a plan needs a privilege of one of its possible operations', async () => {
  const granting = (await loadRoutes())
    .filter(({ path }) => changes.test(path))
    .flatMap(({ handlers }) =>
      Object.values(handlers).flatMap(({ spec }) =>
        spec.kind === 'writes' && spec.who.anyOf !== 'user' ? spec.who.anyOf : [],
      ),
    )
  expect([...anyPlanWriter].sort()).toEqual([...new Set(granting)].sort())
})

test('a caller who may change nothing of it is refused before the body is read', async () => {
  const as = await newUser({ privileges: allPrivileges.filter((name) => !anyPlanWriter.includes(name)) })
  const { response, read } = await send(repeated('{"users":[', '{}'.repeat(1000), 100), as)
  expect(response.status).toBe(403)
  expect(read.pieces).toBeLessThanOrEqual(1)
})

test('a caller who may not read a list is refused when the list begins', async () => {
  const as = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
  const { response, read } = await send(repeated('{"users":[{}', ',{}'.repeat(1000), 100), as)
  expect(response.status).toBe(403)
  expect(read.pieces).toBeLessThan(4)
})

test.each([
  ['things without separators', '{"scopes":[', '{}'.repeat(1000), 400],
  ['lists in lists', '{"scopes":[', '['.repeat(1000), 400],
  ['a thing within a thing', '{"scopes":[{"name":', '[{"a":'.repeat(1000), 400],
  ['numbers in place of things', '{"scopes":[1', ',1'.repeat(1000), 400],
  ['many lists', '{"links":[]', ',"links":[]'.repeat(1000), 400],
  ['a long name', '{"scopes":[{"name":"', 'x'.repeat(100_000), 400],
  ['many values', '{"scopes":[{"enterprises":[1', ',1'.repeat(1000), 400],
  ['too many things', '{"scopes":[{}', ',{}'.repeat(1000), 413],
] as const)('%s are refused while they arrive', async (_what, first, piece, status) => {
  const pieces = 1024
  const { response, read } = await send(repeated(first, piece, pieces), admin)
  expect(response.status).toBe(status)
  expect(read.pieces).toBeLessThan(pieces / 2)
})

test('a row of a table is bounded, and so is their number', async () => {
  const as = admin
  const body = (text: string) =>
    call('POST', '/api/plans?entity=scopes', { as, body: text, headers: { 'content-type': 'text/csv' } })
  expect(await codesOf(body(`name\n${'x'.repeat(1_100_000)}`))).toEqual(['GEN-3'])
  expect(await codesOf(body(`name\n${'x\n'.repeat(2501)}`))).toEqual(['413-PAYLOAD-TOO-LARGE'])
})

test('nothing is hashed for a plan that is refused', async () => {
  const hash = vi.spyOn(passwords, 'hashPassword')
  const as = await newUser({ privileges: ['USERS_VIEW', 'USERS_MANAGE_ROLES'] })
  const user = () => ({
    nick: unique('new').replace(' ', '-'),
    name: 'New',
    enterprise: 'none',
    password: 'correct horse battery',
  })
  const made = await expectStatus(201, call('POST', '/api/plans', { as, body: { users: [user(), user()] } }))
  expect(made.refusals.map(({ code }: { code: string }) => code)).toEqual(['403-FORBIDDEN', '403-FORBIDDEN'])
  const lost = await expectStatus(201, call('POST', '/api/plans', { body: { users: [user()] } }))
  expect(lost.refusals.map(({ code }: { code: string }) => code)).toEqual(['EN-0'])
  expect(hash).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

test('the trial stops at a thousand refusals, and reports it', async () => {
  const scopes = Array.from({ length: 1500 }, (_, index) => ({ name: `Lost ${index}`, parent: 'nowhere' }))
  const made = await expectStatus(201, call('POST', '/api/plans', { body: { scopes } }))
  expect(made).toMatchObject({ refused: 1000, incomplete: true })
  const few = await expectStatus(201, call('POST', '/api/plans', { body: { scopes: scopes.slice(0, 5) } }))
  expect(few).toMatchObject({ refused: 5 })
  expect(few.incomplete).toBeUndefined()
})

/** A body of more than 1 MiB that ends when it is let go. */
function* large(): Generator<string> {
  yield '{"scopes":['
  yield ' '.repeat(2 * 1024 * 1024)
}

async function begin(as: User) {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const encoder = new TextEncoder()
  const left = large()
  const { promise: isRead, resolve: reads } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = left.next()
        if (!done) return controller.enqueue(encoder.encode(value))
        reads()
        await gate
        controller.enqueue(encoder.encode(']}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { authorization: basicOf(as), 'content-type': 'application/json' }
  const request = new Request(`${ORIGIN}/api/plans`, { method: 'POST', body, ...{ duplex: 'half' }, headers })
  const response = (await router()).fetch(request)
  await isRead
  return { response, go }
}

test('one large document of a user, and three at a time, while small ones continue', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => newUser()))
  const [first = admin, , , fourth = admin] = people
  const open = []
  for (const as of people.slice(0, 3)) open.push(await begin(as))
  const body = { scopes: [] }
  const whole = [...large(), ']}'].join('')
  const again = await call('POST', '/api/plans', { as: first, body: whole })
  expect([again.status, again.headers.get('retry-after')]).toEqual([429, '5'])
  expect((await call('POST', '/api/plans', { as: fourth, body: whole })).status).toBe(503)
  await expectStatus(201, call('POST', '/api/plans', { as: first, body }))
  // A body that trickles loses its place to another one.
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 60_000)
  await expectStatus(201, call('POST', '/api/plans', { as: fourth, body: whole }))
  vi.restoreAllMocks()
  for (const { go } of open) go()
  const statuses = (await Promise.all(open.map(({ response }) => response))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 201, 429])
  await expectStatus(201, call('POST', '/api/plans', { as: first, body: whole }))
})

test('no plan is made for a client that has left', async () => {
  const gone = new AbortController()
  const scopes = Array.from({ length: 500 }, (_, index) => ({ name: unique(`Left ${index}`) }))
  const request = new Request(`${ORIGIN}/api/plans`, {
    method: 'POST',
    body: JSON.stringify({ scopes }),
    headers: { authorization: basicOf(admin), 'content-type': 'application/json' },
    signal: gone.signal,
  })
  const before = await database().read.selectFrom('plans').select('id').execute()
  const response = (await router()).fetch(request)
  gone.abort()
  await response
  expect(await database().read.selectFrom('plans').select('id').execute()).toEqual(before)
})

test('a user keeps a number of plans and of bytes, and loses the applied ones first', async () => {
  const as = await newUser()
  const made = async () =>
    (
      await expectStatus(
        201,
        call('POST', '/api/plans', { as, body: { scopes: [{ name: unique('Kept') }] } }),
      )
    ).id
  const kept = async () =>
    (
      await database()
        .read.selectFrom('plans')
        .where('user_id', '=', as.id)
        .select('id')
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)
  const was = { ...space }
  try {
    space.plansOfUser = 3
    const [first, second] = [await made(), await made()]
    await expectStatus(200, call('POST', `/api/plans/${second}/action/apply`, { as }))
    const third = await made()
    const fourth = await made()
    expect(await kept()).toEqual([first, third, fourth])
    const fifth = await made()
    expect(await kept()).toEqual([third, fourth, fifth])
    const { bytes } = await database()
      .read.selectFrom('plans')
      .where('id', '=', fifth)
      .select('bytes')
      .executeTakeFirstOrThrow()
    Object.assign(space, { plansOfUser: 100, bytesOfUser: bytes * 2 + 20 })
    const sixth = await made()
    expect(await kept()).toEqual([fifth, sixth])
    const colleague = await newUser({ enterpriseId: as.enterpriseId })
    space.bytesOfEnterprise = bytes * 2 + 20
    const full = await call('POST', '/api/plans', {
      as: colleague,
      body: { scopes: [{ name: unique('Kept') }] },
    })
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '60'])
    await transaction((trx) =>
      trx.updateTable('plans').set({ applied_at: 1 }).where('id', '=', fifth).execute(),
    )
    await expectStatus(
      201,
      call('POST', '/api/plans', { as: colleague, body: { scopes: [{ name: unique('Kept') }] } }),
    )
    expect(await kept()).toEqual([sixth])
  } finally {
    Object.assign(space, was)
  }
})
