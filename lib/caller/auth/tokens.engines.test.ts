import { createHmac, hkdfSync } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { issueToken, newSession, readToken } from '#lib/caller/auth/tokens.server'
import { call, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { changeUser, cookiesOf, pairOf, rowOf, tokenOf, withSettings } from '#lib/tools/testing/session'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Fakes Date only; timers keep running. */
const setClock = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(ms)
}

afterEach(() => {
  vi.useRealTimers()
})

const loginBy = (headers: Record<string, string>) => call('GET', '/api/login', { as: null, headers })
const withToken = (token: string) => loginBy({ authorization: `Token ${token}` })
const firstToken = async (user: User) => tokenOf(await call('GET', '/api/login', { as: user }))

describe('tokens (docs/api/authentication.md, "Tokens and cookies")', () => {
  test('a token has its user’s privileges, and the response has the next token', async () => {
    const user = await newUser()
    const first = await firstToken(user)
    const response = await withToken(first)
    expect(await expectStatus(200, response)).toMatchObject({ id: user.id })
    const second = tokenOf(response)
    expect(second).not.toBe(first)
    await expectStatus(200, withToken(second))
    await expectStatus(200, withToken(first))
  })

  test('every success returns a new one, for every mechanism and status', async () => {
    const as = await newUser()
    const authorization = `Token ${await firstToken(as)}`
    const made = await call('POST', '/api/admin/scopes', { as, body: { name: unique('Scope') } })
    const path = made.headers.get('location') ?? ''
    const read = await loginBy({ authorization })
    const answers = [
      made,
      read,
      await loginBy({ cookie: pairOf(cookiesOf(read).auth) }),
      await call('GET', path, { as: null, headers: { authorization, 'if-none-match': '*' } }),
      await call('PUT', path, { as, body: { name: unique('Scope') } }),
      await call('DELETE', path, { as: null, headers: { authorization } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 304, 200, 204])
    expect(new Set(answers.map(tokenOf)).size).toBe(answers.length)
  })

  test('two tokens issued at the same moment differ', async () => {
    const token = await firstToken(await newUser())
    setClock(Date.now())
    const answers = await Promise.all(Array.from({ length: 5 }, () => withToken(token)))
    expect(new Set(answers.map(tokenOf)).size).toBe(5)
  })

  test('a refusal returns none', async () => {
    const as = await newUser({ privileges: [] })
    for (const response of [
      await call('GET', '/api/admin/scopes', { as }),
      await call('GET', '/api/admin/scopes/999999999'),
      await call('POST', '/api/admin/scopes', { body: {} }),
      await call('GET', '/api/login', { as: null }),
    ]) {
      expect(response.headers.get('x-service-token')).toBeNull()
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  test('it names its session, and the grant that began it', () => {
    for (const session of [newSession(1, 2), { ...newSession(1, 2), grant: 7 }])
      expect(readToken(issueToken(session).token)).toStrictEqual(session)
  })

  test('it does not contain the user’s nick or password', async () => {
    const user = await newUser()
    const token = await firstToken(user)
    expect(token).toMatch(/^[\w-]+\.[\w-]+$/)
    expect(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).not.toContain(user.nick)
  })
})

describe('the life of a token', () => {
  test('it expires after 30 minutes', async () => {
    const token = await firstToken(await newUser())
    const now = Date.now()
    setClock(now + 29 * MINUTE)
    expect((await withToken(token)).status).toBe(200)
    setClock(now + 31 * MINUTE)
    const response = await withToken(token)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Token realm="Service API"')
  })

  test('a chain of tokens ends after 12 hours', async () => {
    const began = Date.now()
    setClock(began)
    let token = await firstToken(await newUser())
    for (let now = began; now < began + 12 * HOUR; now += 29 * MINUTE) {
      setClock(now)
      token = tokenOf(await withToken(token))
    }
    setClock(began + 12 * HOUR - 1000)
    const last = await withToken(token)
    expect(last.status).toBe(200)
    expect(cookiesOf(last).auth).toContain(`Expires=${new Date(began + 12 * HOUR).toUTCString()}`)
    setClock(began + 12 * HOUR + 1000)
    expect((await withToken(tokenOf(last))).status).toBe(401)
  })

  test('both limits come from the settings', async () => {
    await withSettings({ TOKEN_TTL_SECONDS: 60, SESSION_MAX_SECONDS: 90 }, async () => {
      const now = Date.now()
      setClock(now)
      const first = await firstToken(await newUser())
      setClock(now + 59_000)
      const second = tokenOf(await withToken(first))
      setClock(now + 61_000)
      expect([(await withToken(first)).status, (await withToken(second)).status]).toEqual([401, 200])
      setClock(now + 91_000)
      expect((await withToken(second)).status).toBe(401)
    })
  })

  test('a shorter lifetime applies to tokens already issued', async () => {
    const token = await firstToken(await newUser())
    setClock(Date.now() + 2 * MINUTE)
    await withSettings({ SESSION_MAX_SECONDS: 60 }, async () => {
      expect((await withToken(token)).status).toBe(401)
    })
    expect((await withToken(token)).status).toBe(200)
  })

  test.each([
    ['locked', () => ({ locked: 1 as const })],
    ['disabled', () => ({ active: 0 as const })],
    ['given a new epoch: password changed, signed out everywhere', () => ({ token_epoch: 1 })],
  ])('all tokens and cookies end at once when the user is %s', async (_what, change) => {
    const user = await newUser()
    const response = await call('GET', '/api/login', { as: user })
    const cookie = pairOf(cookiesOf(response).auth)
    await changeUser(user, change())
    expect((await withToken(tokenOf(response))).status).toBe(401)
    expect((await loginBy({ cookie })).status).toBe(401)
  })

  test('a new hash of the same password with the same epoch keeps them valid', async () => {
    const user = await newUser()
    const token = await firstToken(user)
    const { token_epoch: epoch } = await rowOf(user)
    await changeUser(user, { password_hash: await hashPassword('some other password') })
    expect((await rowOf(user)).token_epoch).toBe(epoch)
    expect((await withToken(token)).status).toBe(200)
  })
})

describe('an invalid token gets 401', () => {
  const payloadOf = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  const signedBy = (secret: string, payload: string) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'console/token', 32))
    const body = Buffer.from(payload).toString('base64url')
    return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
  }

  test.each<[string, (token: string) => string]>([
    ['nothing', () => ''],
    ['a word', () => 'token'],
    ['a point', () => '.'],
    ['a truncated one', (token) => token.slice(0, -1)],
    ['a half', (token) => token.slice(0, token.length / 2)],
    ['without its signature', (token) => `${token.split('.')[0]}.`],
    ['with more behind it', (token) => `${token}.${token}`],
    ['with a byte changed', (token) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1)],
    [
      'of another user under the same signature',
      (token) => {
        const [id, , ...rest] = payloadOf(token).split('.')
        return `${Buffer.from([id, '1', ...rest].join('.')).toString('base64url')}.${token.split('.')[1]}`
      },
    ],
    [
      'of another installation',
      (token) => signedBy('the secret of another installation, long', payloadOf(token)),
    ],
  ])('%s', async (_what, change) => {
    const token = await firstToken(await newUser())
    const response = await withToken(change(token))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Token realm="Service API"')
  })

  test('the same signature with our own secret is accepted', async () => {
    const token = await firstToken(await newUser())
    expect((await withToken(signedBy(process.env.SECRET_KEY ?? '', payloadOf(token)))).status).toBe(200)
  })
})
