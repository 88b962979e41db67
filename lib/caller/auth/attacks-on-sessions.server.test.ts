import { afterEach, describe, expect, test, vi } from 'vitest'
import { issueToken, newSession } from '#lib/caller/auth/tokens.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
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
import { withCode } from '#lib/tools/testing/enrolled'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

/* Each test is named after its attack. */

afterEach(() => {
  vi.useRealTimers()
})

type Person = Awaited<ReturnType<typeof newUser>>

const login = (as: User, headers: Record<string, string> = {}) => call('GET', '/api/login', { as, headers })

const loginBy = (headers: Record<string, string>) => call('GET', '/api/login', { as: null, headers })

const signIn = ({ nick, password }: User, headers: Record<string, string> = {}) =>
  call('POST', '/api/session', { as: null, body: { nick, password }, headers })

test('session fixation: signing in begins a new session whatever cookie the browser sends', async () => {
  const [attacker, victim] = [await newUser({ privileges: [] }), await newUser({ privileges: [] })]
  const planted = pairOf(cookiesOf(await signIn(attacker)).console)
  const answer = await signIn(victim, { cookie: planted })
  const fresh = pairOf(cookiesOf(answer).console)
  expect(fresh).not.toBe(planted)
  expect((await loginBy({ cookie: planted })).status).toBe(401)
  expect((await expectStatus(200, loginBy({ cookie: fresh }))).nick).toBe(victim.nick)
})

describe('stolen token', () => {
  const stolen = async (user: User) => {
    const token = { authorization: `Token ${tokenOf(await login(user))}` }
    const cookie = { cookie: pairOf(cookiesOf(await login(user)).auth) }
    const session = { cookie: pairOf(cookiesOf(await signIn(user)).console) }
    return [token, cookie, session]
  }
  const open = async (ways: Record<string, string>[]) =>
    (await Promise.all(ways.map(loginBy))).filter(({ status }) => status === 200).length

  test('is refused after any kind of password change', async () => {
    const changes: ((user: Person) => Promise<Response>)[] = [
      (user) =>
        call('PUT', '/api/session/password', {
          as: user,
          body: { oldPassword: user.password, password: 'quite another password' },
        }),
      async (user) => {
        const self = await expectStatus(200, call('GET', `/api/admin/enterprises/_/users/${user.id}`))
        return call('PUT', self.links[0].href, { body: { ...self, password: 'quite another password' } })
      },
    ]
    for (const change of changes) {
      const user = await newUser({ privileges: [] })
      const ways = await stolen(user)
      expect(await open(ways)).toBe(3)
      expect((await change(user)).ok).toBe(true)
      expect(await open(ways)).toBe(0)
    }
  })

  test('of a disabled, locked or deleted user is refused, even after the user is restored', async () => {
    for (const change of [{ active: false }, { locked: true }]) {
      const user = await newUser({ privileges: [] })
      const ways = await stolen(user)
      const path = `/api/admin/enterprises/_/users/${user.id}`
      const self = await expectStatus(200, call('GET', path))
      await expectStatus(200, call('PUT', path, { body: { ...self, ...change } }))
      expect(await open(ways)).toBe(0)
      await expectStatus(200, call('PUT', path, { body: self }))
      expect(await open(ways)).toBe(0)
      expect((await call('DELETE', path)).status).toBe(204)
      expect(await open(ways)).toBe(0)
    }
  })
})

const carriers = (token: string): Record<string, string>[] => [
  { authorization: `Token ${token}` },
  { cookie: `auth=${token || 'x'}` },
]

test('forged and truncated tokens are refused, and the response does not reveal why', async () => {
  const user = await newUser({ privileges: [] })
  const token = tokenOf(await login(user))
  const [body = '', mac = ''] = token.split('.')
  const payload = Buffer.from(body, 'base64url').toString()
  const encoded = (text: string) => Buffer.from(text).toString('base64url')
  const foreign = await withSettings(
    { SECRET_KEY: 'the secret of another installation, as long' },
    async () => issueToken(newSession(user.id, 0)),
  )
  const forged = [
    '',
    body,
    `${body}.`,
    `.${mac}`,
    token.slice(0, -1),
    token.slice(1),
    `${token}.${mac}`,
    `${body}.${mac.slice(0, 20)}`,
    `${body}.${'A'.repeat(mac.length)}`,
    `${encoded(payload.replace(`.${user.id}.`, '.1.'))}.${mac}`,
    `${encoded(payload.replace(/\.\d{13}\.([\w-]+)$/, '.9999999999999.$1'))}.${mac}`,
    `${encoded(`${payload}.x`)}.${mac}`,
    foreign.token,
    'A'.repeat(10_000),
  ]
  for (const text of forged)
    for (const headers of carriers(text)) {
      const response = await loginBy(headers)
      expect([text.slice(0, 20), response.status, await response.text()]).toEqual([
        text.slice(0, 20),
        401,
        expect.stringContaining('Authentication is required'),
      ])
    }
})

test('cookie of one user with the header of another: only the header counts', async () => {
  const [one, other] = [
    await newUser({ privileges: ['USERS_MANAGE_SCOPES'] }),
    await newUser({ privileges: [] }),
  ]
  const cookies = [pairOf(cookiesOf(await login(one)).auth), pairOf(cookiesOf(await signIn(one)).console)]
  for (const cookie of cookies) {
    expect((await expectStatus(200, login(other, { cookie }))).nick).toBe(other.nick)
    expect((await call('GET', '/api/admin/scopes', { as: other, headers: { cookie } })).status).toBe(403)
    const forged = { cookie, authorization: 'Token forged' }
    expect((await loginBy(forged)).status).toBe(401)
    const wrong = { cookie, authorization: basicOf({ ...other, password: 'wrong' }) }
    expect((await loginBy(wrong)).status).toBe(401)
  }
})

test('Host header poisoning: links in mails always use the address of the settings', () =>
  withMailbox(async (mailbox) => {
    const poison = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    const site = { BASE_URL: 'https://cloud.example', TRUST_PROXY: ['127.0.0.1'] }
    for (const [settings, address] of [
      [site, 'https://cloud.example'],
      [{ TRUST_PROXY: ['127.0.0.1'] }, 'http://127.0.0.1:3000'],
    ] as const) {
      const email = newAddress()
      const user = await newUser({ email })
      await withSettings(settings as typeof site, async () => {
        const request = new Request(`${ORIGIN}/api/session/passwordreset`, {
          method: 'POST',
          headers: { ...poison, 'content-type': 'application/json' },
          body: JSON.stringify({ nick: user.nick }),
        })
        expect((await (await router()).fetch(request)).status).toBe(204)
        await resetsMade()
      })
      const [mail] = await mailbox.of(email)
      expect(mail?.text).toContain(`${address}/new-password#`)
      expect(`${mail?.text}${mail?.html}`).not.toContain('evil')
    }
  }))

test('cross-site request forgery: writes from other sites are refused despite a cookie', async () => {
  const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
  const cookies = [pairOf(cookiesOf(await login(user)).auth), pairOf(cookiesOf(await signIn(user)).console)]
  for (const cookie of cookies) {
    const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const [method, path, body] of [
      ['POST', '/api/admin/scopes', { name: unique('Forged') }],
      ['PUT', '/api/session/password', { oldPassword: user.password, password: 'quite another password' }],
      ['DELETE', '/api/session/sessions', undefined],
    ] as const)
      expect((await call(method, path, { as: null, headers, body })).status).toBe(403)
  }
  expect((await login(user)).status).toBe(200)
})

test('no code is accepted before one was mailed', () =>
  withMailbox(async () => {
    const user = await newUser({ email: newAddress(), privileges: [] })
    const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
    await expectStatus(201, call('POST', path, { as: user, body: { type: 'EMAIL' } }))
    for (const code of ['000000', '', '      ', '0']) expect((await withCode(user, code)).status).toBe(401)
    const response = await call('POST', '/api/session', {
      as: null,
      body: { nick: user.nick, password: user.password, code: '000000' },
    })
    expect(await codesOf(response)).toEqual(['SIGN-IN-2'])
  }))
