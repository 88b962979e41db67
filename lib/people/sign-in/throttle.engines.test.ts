import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import {
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

type Person = Awaited<ReturnType<typeof newUser>>

const WRONG = 'a wrong password'

/** GET login by Basic, from an address. */
async function login(
  nick: string,
  password: string,
  address = '127.0.0.1',
  headers: Record<string, string> = {},
) {
  const request = new Request(`${ORIGIN}/api/login`, {
    headers: { authorization: basicOf({ nick, password }), ...headers },
  })
  return (await router()).fetch(request, address)
}

const fails = async (times: number, attempt: () => Promise<Response>) => {
  for (let turn = 0; turn < times; turn += 1) expect((await attempt()).status).toBe(401)
}

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

const retryAfter = (response: Response) => Number(response.headers.get('retry-after'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('after five wrong passwords in a minute (docs/api/authentication.md, "Throttling")', () => {
  test('the sixth attempt gets 429 with Retry-After, even with the correct password', async () => {
    const user = await newUser()
    await fails(5, () => login(user.nick, WRONG))
    const refused = await login(user.nick, user.password)
    expect([refused.status, retryAfter(refused)]).toEqual([429, 30])
    expect(await codesOf(refused)).toEqual(['429-TOO-MANY-REQUESTS'])
  })

  test('the same holds at the console, and counts together', async () => {
    const user = await newUser()
    const signIn = (password: string) =>
      call('POST', '/api/session', { as: null, body: { nick: user.nick, password } })
    await fails(3, () => signIn(WRONG))
    await fails(2, () => login(user.nick, WRONG))
    expect((await signIn(user.password)).status).toBe(429)
  })

  test('sign-in from another address still works: nobody can lock another user out', async () => {
    const user = await newUser()
    await fails(5, () => login(user.nick, WRONG, '198.51.100.7'))
    expect((await login(user.nick, user.password, '198.51.100.7')).status).toBe(429)
    expect((await login(user.nick, user.password, '198.51.100.8')).status).toBe(200)
  })

  test('another account at the same address can still sign in', async () => {
    const [one, other] = [await newUser(), await newUser()]
    await fails(5, () => login(one.nick, WRONG))
    expect((await login(other.nick, other.password)).status).toBe(200)
  })

  test('an IPv6 client is counted by its /64 network', async () => {
    const user = await newUser()
    await fails(5, () => login(user.nick, WRONG, `2001:db8:0:1::${crypto.randomUUID().slice(0, 4)}`))
    expect((await login(user.nick, user.password, '2001:db8:0:1:ffff::1')).status).toBe(429)
    expect((await login(user.nick, user.password, '2001:db8:0:2::1')).status).toBe(200)
  })

  test('an unknown nick has to wait too, so that the wait reveals nothing', async () => {
    const nick = unique('nobody')
    await fails(5, () => login(nick, WRONG))
    const refused = await login(nick, WRONG)
    expect([refused.status, retryAfter(refused)]).toEqual([429, 30])
  })

  test('the wait doubles, up to fifteen minutes, and ends', async () => {
    const user = await newUser()
    const waits: number[] = []
    for (let round = 0; round < 7; round += 1) {
      await fails(5, () => login(user.nick, WRONG))
      waits.push(retryAfter(await login(user.nick, WRONG)))
      later((waits.at(-1) ?? 0) + 1)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900])
    expect((await login(user.nick, user.password)).status).toBe(200)
  })

  test('attempts during the wait do not extend it', async () => {
    const user = await newUser()
    await fails(5, () => login(user.nick, WRONG))
    later(20)
    for (let turn = 0; turn < 20; turn += 1) expect((await login(user.nick, WRONG)).status).toBe(429)
    later(11)
    expect((await login(user.nick, user.password)).status).toBe(200)
  })
})

test('four failures a minute cause no wait, and a success clears them', async () => {
  const user = await newUser()
  await fails(4, () => login(user.nick, WRONG))
  later(61)
  await fails(4, () => login(user.nick, WRONG))
  expect((await login(user.nick, user.password)).status).toBe(200)
  await fails(4, () => login(user.nick, WRONG))
  expect((await login(user.nick, user.password)).status).toBe(200)
})

test('attempts over many concurrent connections are counted one by one', async () => {
  const user = await newUser()
  const answers = await Promise.all(Array.from({ length: 40 }, () => login(user.nick, WRONG)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(35)
})

test('a repeated correct sign-in writes nothing', async () => {
  const user = await newUser()
  const count = async () =>
    (await database().read.selectFrom('sign_in_failures').select('key').execute()).length
  const before = await count()
  for (let turn = 0; turn < 3; turn += 1) expect((await login(user.nick, user.password)).status).toBe(200)
  expect(await count()).toBe(before)
})

describe('verification codes', () => {
  const enable = async (user: Person): Promise<string[]> => {
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action/enable2fa`
    const answer = call('POST', path, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
    return (await expectStatus(201, answer)).scratchCodes
  }
  const code = (text: string) => ({ 'x-service-otp': text })

  test('are counted separately from passwords; a missing one is no failure', async () => {
    const user = await newUser()
    const [scratch = ''] = await enable(user)
    await fails(4, () => login(user.nick, WRONG))
    await fails(10, () => login(user.nick, user.password))
    await fails(5, () => login(user.nick, user.password, '127.0.0.1', code('00000000')))
    expect((await login(user.nick, user.password, '127.0.0.1', code(scratch))).status).toBe(429)
    expect((await login(user.nick, user.password, '198.51.100.9', code(scratch))).status).toBe(200)
  })

  test('that are wrong at disable2fa and at the proof are counted together with them', async () => {
    const user = await newUser()
    const scratch = await enable(user)
    const signedIn = await login(user.nick, user.password, '127.0.0.1', code(scratch[0] ?? ''))
    const headers = { authorization: `Token ${signedIn.headers.get('x-service-token')}` }
    const disable = (text: string) =>
      call('POST', `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action/disable2fa`, {
        as: null,
        headers: { ...headers, ...code(text) },
      })
    await fails(3, () => disable('00000000'))
    for (const _ of Array(2)) {
      const proof = await call('POST', '/api/session/code', { as: null, headers, body: { code: '00000000' } })
      expect(proof.status).toBe(409)
    }
    expect((await disable(scratch[1] ?? '')).status).toBe(429)
    later(31)
    expect((await disable(scratch[1] ?? '')).status).toBe(204)
  })
})

test('the old password cannot be guessed through a password change: attempts count like sign-ins', async () => {
  const user: User & { id: number; enterpriseId: number } = await newUser()
  const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`
  const document = await expectStatus(200, call('GET', path, { as: user }))
  const token = (await login(user.nick, user.password)).headers.get('x-service-token')
  const change = (oldPassword: string) =>
    call('PUT', path, {
      as: null,
      headers: { authorization: `Token ${token}` },
      body: { ...document, password: 'a new long password', oldPassword },
    })
  for (const _ of Array(5)) expect((await change(WRONG)).status).toBe(403)
  expect((await change(user.password)).status).toBe(429)
})
