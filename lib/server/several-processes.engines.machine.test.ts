import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import {
  admin,
  basicOf,
  call,
  expectStatus,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { enrolled } from '#lib/tools/testing/enrolled'
import { freePort } from '#lib/tools/testing/free-port'
import { newRole, putUser, readUser, relinked, roleLink } from '#lib/tools/testing/identity'
import { authorizationOf, connect, register } from '#lib/tools/testing/oauth'
import { changeUser, cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf } from '#lib/tools/testing/totp'

/* Two processes on the database of this test, as a balancer would have them behind one address: whichever is asked, they are one. */

let one: ApiProcess
let other: ApiProcess

beforeAll(async () => {
  const start = async () => startApi(env(), { BASE_URL: ORIGIN, PORT: String(await freePort()) })
  // They start at once, and bring the database up at once.
  ;[one, other] = await Promise.all([start(), start()])
}, 120_000)

afterAll(async () => {
  expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0])
})

const signIn = async (server: ApiProcess, user: User): Promise<Record<string, string>> => {
  const { nick, password } = user
  const answer = await ask(server, '/api/session', { body: { nick, password } })
  await expectStatus(200, answer)
  return { cookie: pairOf(cookiesOf(answer).console) }
}

const tokenAt = async (server: ApiProcess, as: User): Promise<Record<string, string>> => ({
  authorization: `Token ${tokenOf(await ask(server, '/api/login', { as }))}`,
})

const login = (server: ApiProcess, headers: Record<string, string>) =>
  statusOf(ask(server, '/api/login', { headers }))

describe('a session', () => {
  test('that one process began works in the other, and ends in both where it is ended in one', async () => {
    const headers = await signIn(one, await newUser())
    expect(await statusOf(ask(other, '/api/session', { headers }))).toBe(200)
    expect(await statusOf(ask(other, '/api/session', { headers }, 'DELETE'))).toBe(204)
    expect(await statusOf(ask(one, '/api/session', { headers }))).toBe(204)
    expect(await statusOf(ask(one, '/api/admin/scopes', { headers }))).toBe(401)
  })

  test('of tokens continues in the other process', async () => {
    const user = await newUser()
    const headers = await tokenAt(one, user)
    const answer = await ask(other, '/api/login', { headers })
    expect(answer.status).toBe(200)
    expect(await login(one, { authorization: `Token ${tokenOf(answer)}` })).toBe(200)
  })

  test('ends everywhere when the password is changed, also in the caches of a process', async () => {
    const user = await newUser()
    const [token, cookie] = [await tokenAt(one, user), await signIn(one, user)]
    const fresh = { ...user, password: 'another password for tests' }
    const document = await readUser(user.id)
    await expectStatus(200, putUser(document, { password: fresh.password }))
    for (const server of [one, other]) {
      expect(await login(server, token)).toBe(401)
      expect(await login(server, cookie)).toBe(401)
      expect(await statusOf(ask(server, '/api/login', { as: user }))).toBe(401)
      expect(await statusOf(ask(server, '/api/login', { as: fresh }))).toBe(200)
    }
  })

  test('ends everywhere when its user is locked', async () => {
    const user = await newUser()
    const token = await tokenAt(one, user)
    expect(await login(other, token)).toBe(200)
    await changeUser(user, { locked: 1 })
    for (const server of [one, other]) expect(await login(server, token)).toBe(401)
  })
})

test('privileges that are taken away in one process are gone in the other at once', async () => {
  const user = await newUser()
  const token = await tokenAt(one, user)
  const scopes = (server: ApiProcess) => statusOf(ask(server, '/api/admin/scopes', { headers: token }))
  expect([await scopes(one), await scopes(other)]).toEqual([200, 200])
  const document = await readUser(user.id)
  const links = relinked(document, 'role', roleLink(await newRole()))
  const headers = { authorization: basicOf(admin) }
  const path = `/api/admin/enterprises/_/users/${user.id}`
  const put = ask(one, path, { body: { ...document, links }, headers }, 'PUT')
  expect(await statusOf(put)).toBe(200)
  expect([await scopes(one), await scopes(other)]).toEqual([403, 403])
})

describe('guesses', () => {
  test('of a password are counted together', async () => {
    const user = await newUser()
    const wrong = { ...user, password: 'not the password' }
    for (const server of [one, other, one, other, one])
      expect(await statusOf(ask(server, '/api/login', { as: wrong }))).toBe(401)
    for (const server of [one, other]) {
      const refused = await ask(server, '/api/login', { as: user })
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    }
  })

  test('of a code: one that was used in one process is used up in the other', async () => {
    const { user, secret } = await enrolled()
    const headers = { 'x-service-otp': codeOf(secret, Date.now() + 30_000) }
    expect(await statusOf(ask(one, '/api/login', { as: user, headers }))).toBe(200)
    expect(await statusOf(ask(other, '/api/login', { as: user, headers }))).toBe(401)
  })
})

test('a signed request is good once, whichever process gets it, and when both do at once', async () => {
  const user = await newUser()
  const application = await register(user)
  const token = await connect(application, user)
  const signed = () => ({ authorization: authorizationOf(application, 'GET', '/api/login', { token }) })
  const first = signed()
  expect(await login(one, first)).toBe(200)
  expect(await login(other, first)).toBe(401)
  const raced = signed()
  expect((await Promise.all([login(one, raced), login(other, raced)])).sort()).toEqual([200, 401])
})

describe('changes', () => {
  const create = (server: ApiProcess, name: string) =>
    ask(server, '/api/admin/datacenters', { as: admin, body: { name, location: '' } })

  test('of one process are seen by the other at once', async () => {
    const { id } = await expectStatus(201, create(one, unique('Seen')))
    expect(await statusOf(ask(other, `/api/admin/datacenters/${id}`, { as: admin }))).toBe(200)
    await expectStatus(204, call('DELETE', `/api/admin/datacenters/${id}`))
    for (const server of [one, other])
      expect(await statusOf(ask(server, `/api/admin/datacenters/${id}`, { as: admin }))).toBe(404)
  })

  test('that exclude each other: one of two processes wins', async () => {
    const name = unique('Raced')
    const answers = await Promise.all([create(one, name), create(other, name)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('that were read in one process and overtaken in the other are refused', async () => {
    const { id } = await expectStatus(201, create(one, unique('Tagged')))
    const path = `/api/admin/datacenters/${id}`
    const read = await ask(one, path, { as: admin })
    const tag = { 'if-match': read.headers.get('etag') ?? '' }
    const body = { ...((await read.json()) as object), location: 'Madrid' }
    const put = (server: ApiProcess) => statusOf(ask(server, path, { as: admin, body, headers: tag }, 'PUT'))
    expect([await put(other), await put(one)]).toEqual([200, 412])
  })
})
