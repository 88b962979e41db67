import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

const STEP = 30_000

const setClock = (ms: number) => {
  vi.setSystemTime(ms)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  setClock(Math.floor(Date.now() / STEP) * STEP + 10_000)
})

afterEach(() => {
  vi.useRealTimers()
})

const enrolled = async () => {
  const user = await newUser({ privileges: [] })
  const path = `/api/admin/enterprises/_/users/${user.id}/action`
  const response = await call('POST', `${path}/enable2fa`, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
  const { authenticatorURL, scratchCodes } = await expectStatus(201, response)
  const authorization = `Token ${tokenOf(response)}`
  const cookie = pairOf(cookiesOf(response).auth)
  return {
    user,
    path,
    secret: secretOf(authenticatorURL),
    scratchCodes: scratchCodes as string[],
    authorization,
    cookie,
  }
}

const login = (as: User, code?: string, headers: Record<string, string> = {}) =>
  call('GET', '/api/login', {
    as,
    headers: code === undefined ? headers : { ...headers, 'x-service-otp': code },
  })

const statusOf = async (answer: Promise<Response>) => (await answer).status

describe('a Basic request of a user with two factor (docs/api/two-factor.md, "Two factor authentication")', () => {
  test('without a code is 401, requests one, and clears the auth cookie', async () => {
    const { user } = await enrolled()
    const response = await login(user)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Service API"')
    expect(response.headers.get('x-service-otp')).toBe('required; type=APP_AUTHENTICATOR')
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('x-service-token')).toBeNull()
    expect(cookiesOf(response).auth).toBe(
      'auth=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
    )
  })

  test('with a wrong code is 401 as well', async () => {
    const { user, secret } = await enrolled()
    const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
    for (const code of ['', ' ', 'x', '12345', '1234567', wrong, `${codeOf(secret)}0`]) {
      const response = await login(user, code)
      expect([response.status, response.headers.get('x-service-otp')]).toEqual([
        401,
        'required; type=APP_AUTHENTICATOR',
      ])
    }
  })

  test('with the correct code succeeds', async () => {
    const { user, secret } = await enrolled()
    const response = await login(user, codeOf(secret))
    expect(response.status).toBe(200)
    expect(response.headers.get('x-service-token')).toBeTruthy()
    expect(response.headers.has('x-service-otp')).toBe(false)
  })

  test('with a wrong password is 401 without a request for a code', async () => {
    const { user, secret } = await enrolled()
    for (const code of [undefined, codeOf(secret)]) {
      const response = await login({ ...user, password: 'wrong' }, code)
      expect([response.status, response.headers.has('x-service-otp')]).toEqual([401, false])
    }
    expect(await statusOf(login(user, codeOf(secret)))).toBe(200)
  })

  test('is not necessary with a token or a cookie, which need no code', async () => {
    const { authorization, cookie } = await enrolled()
    expect(await statusOf(call('GET', '/api/login', { as: null, headers: { authorization } }))).toBe(200)
    expect(await statusOf(call('GET', '/api/login', { as: null, headers: { cookie } }))).toBe(200)
  })

  test('from a script in a browser gets no challenge that opens the browser’s own prompt', async () => {
    const { user } = await enrolled()
    const response = await login(user, undefined, { 'sec-fetch-dest': 'empty' })
    expect(response.headers.get('x-service-otp')).toBe('required; type=APP_AUTHENTICATOR')
    expect(response.headers.get('www-authenticate')).not.toContain('Basic')
  })
})

describe('a code', () => {
  test.each([-1, 0, 1])('of time step %d is accepted, because clocks differ', async (step) => {
    const { user, secret } = await enrolled()
    expect(await statusOf(login(user, codeOf(secret, Date.now() + step * STEP)))).toBe(200)
  })

  test.each([-2, 2])('of time step %d is refused', async (step) => {
    const { user, secret } = await enrolled()
    expect(await statusOf(login(user, codeOf(secret, Date.now() + step * STEP)))).toBe(401)
  })

  test('is accepted once, and no older one after it', async () => {
    const { user, secret } = await enrolled()
    const [before, code] = [codeOf(secret, Date.now() - STEP), codeOf(secret)]
    expect(await statusOf(login(user, code))).toBe(200)
    expect(await statusOf(login(user, code))).toBe(401)
    expect(await statusOf(login(user, before))).toBe(401)
    setClock(Date.now() + STEP)
    expect(await statusOf(login(user, code))).toBe(401)
    expect(await statusOf(login(user, codeOf(secret)))).toBe(200)
  })

  test('may contain a space or a hyphen', async () => {
    const { user, secret } = await enrolled()
    const code = codeOf(secret)
    expect(await statusOf(login(user, `${code.slice(0, 3)} ${code.slice(3)}`))).toBe(200)
  })

  test('of another user is refused', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    expect(await statusOf(login(one.user, codeOf(other.secret)))).toBe(401)
    expect(await statusOf(login(one.user, other.scratchCodes[0]))).toBe(401)
  })
})

describe('a scratch code', () => {
  test('works once instead of a code, in any order', async () => {
    const { user, scratchCodes } = await enrolled()
    for (const code of scratchCodes.toReversed()) {
      expect(await statusOf(login(user, code))).toBe(200)
      expect(await statusOf(login(user, code))).toBe(401)
    }
  })

  test('is not used up by a wrong password', async () => {
    const { user, scratchCodes } = await enrolled()
    expect(await statusOf(login({ ...user, password: 'wrong' }, scratchCodes[0]))).toBe(401)
    expect(await statusOf(login(user, scratchCodes[0]))).toBe(200)
  })
})

describe('of two simultaneous requests exactly one', () => {
  const both = async (send: () => Promise<Response>) =>
    (await Promise.all([send(), send()])).map(({ status }) => status).sort()

  test('succeeds with the same code', async () => {
    const { user, secret } = await enrolled()
    const code = codeOf(secret)
    expect(await both(() => login(user, code))).toEqual([200, 401])
  })

  test('succeeds with the same scratch code', async () => {
    const { user, scratchCodes } = await enrolled()
    expect(await both(() => login(user, scratchCodes[0]))).toEqual([200, 401])
  })

  test('disables two factor with the same scratch code', async () => {
    const { path, scratchCodes, authorization } = await enrolled()
    const headers = { authorization, 'x-service-otp': scratchCodes[0] ?? '' }
    const [first, second] = await both(() => call('POST', `${path}/disable2fa`, { as: null, headers }))
    expect(first).toBe(204)
    expect([401, 409]).toContain(second)
  })

  test('verifies the same code', async () => {
    const { secret, authorization } = await enrolled()
    const body = { code: codeOf(secret) }
    expect(
      await both(() => call('POST', '/api/session/code', { as: null, headers: { authorization }, body })),
    ).toEqual([204, 409])
  })

  test('enables two factor', async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
    const headers = { authorization: `Token ${tokenOf(await login(user))}` }
    const body = { type: 'APP_AUTHENTICATOR', oldPassword: user.password }
    const answers = await Promise.all([1, 2].map(() => call('POST', path, { as: null, headers, body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    const late = answers.find(({ status }) => status === 409)
    expect(late && (await codesOf(late))).toEqual(['2FA-1'])
  })
})
