import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, codesOf, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { changeUser, cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

type SignIn = { nick: string; password: string; code?: string }

afterEach(() => {
  vi.useRealTimers()
})

const signIn = (body: SignIn | object, headers: Record<string, string> = {}) =>
  call('POST', '/api/session', { as: null, body, headers })

const signInOf = ({ nick, password }: User, code?: string): SignIn => ({
  nick,
  password,
  ...(code && { code }),
})

const signedIn = async (user: User) => {
  const response = await signIn(signInOf(user))
  expect(response.status).toBe(200)
  return { cookie: pairOf(cookiesOf(response).console) }
}

const by = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  call(method, path, { as: null, headers, body })

const withCode = async () => {
  const user = await newUser({ privileges: [] })
  const headers = await signedIn(user)
  const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
  const { authenticatorURL, scratchCodes } = await expectStatus(
    201,
    by('POST', path, headers, { type: 'APP_AUTHENTICATOR' }),
  )
  return { user, headers, secret: secretOf(authenticatorURL), scratchCodes: scratchCodes as string[] }
}

describe('signing in to the console', () => {
  test('returns the user and their privileges, as GET does afterwards', async () => {
    // Both answers count the seconds that are left.
    vi.useFakeTimers({ toFake: ['Date'] })
    const user = await newUser({ privileges: ['USERS_VIEW', 'MANAGE_DEVICES'] })
    const response = await signIn(signInOf(user), { accept: 'application/json' })
    const document = await expectStatus(200, response)
    expect(document).toMatchObject({
      id: user.id,
      nick: user.nick,
      enterprise: { id: user.enterpriseId, name: expect.any(String) },
      role: { id: expect.any(Number), name: expect.any(String) },
      scope: { id: 1, name: 'Global scope', allDatacenters: true, allEnterprises: true },
      privileges: ['MANAGE_DEVICES', 'USERS_VIEW'],
      scratchCodesLeft: 0,
    })
    expect(document.links).toEqual([
      {
        rel: 'user',
        href: `${ORIGIN}/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`,
        type: 'application/vnd.service.user+json',
        title: user.nick,
      },
    ])
    const headers = { cookie: pairOf(cookiesOf(response).console), accept: 'application/json' }
    expect(await expectStatus(200, by('GET', '/api/session', headers))).toEqual(document)
  })

  test('sets one sealed cookie, hidden from scripts, and returns no token', async () => {
    const user = await newUser()
    const response = await signIn(signInOf(user))
    expect(response.headers.get('x-service-token')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { console } = cookiesOf(response)
    expect(console).toMatch(/^console=[\w~*.%-]{100,};/)
    for (const attribute of [
      /; HttpOnly(;|$)/,
      /; SameSite=Lax(;|$)/i,
      /; Path=\/(;|$)/,
      /; Max-Age=4\d{4}(;|$)/,
    ])
      expect(console).toMatch(attribute)
    expect(console).not.toMatch(/Secure/)
    expect(await response.text()).not.toMatch(/token|auth=/i)
  })

  test('marks it Secure on https', async () => {
    const response = await call('POST', `${ORIGIN.replace('http:', 'https:')}/api/session`, {
      as: null,
      body: signInOf(await newUser()),
    })
    expect(cookiesOf(response)['__Host-console']).toMatch(/; Secure/)
  })

  test('returns no token to the console afterwards either', async () => {
    const headers = await signedIn(await newUser())
    for (const response of [
      await by('GET', '/api/login', headers),
      await by('GET', '/api/admin/scopes', headers),
    ]) {
      expect(response.status).toBe(200)
      expect(response.headers.get('x-service-token')).toBeNull()
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  test('removes the cookies of a Basic sign-in, which would take precedence', async () => {
    const cookies = cookiesOf(await signIn(signInOf(await newUser())))
    for (const name of ['auth', 'session'])
      expect(cookies[name]).toMatch(new RegExp(`^${name}=; Expires=Thu, 01 Jan 1970`))
  })

  test.each([
    ['a wrong password', (user: User) => ({ ...signInOf(user), password: 'wrong' })],
    ['an unknown nick', (user: User) => ({ ...signInOf(user), nick: `${user.nick} x` })],
  ])('SIGN-IN-0 for %s, as an errors document without a cookie', async (_what, change) => {
    const response = await signIn(change(await newUser()), { accept: 'application/json' })
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json'])
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await codesOf(response)).toEqual(['SIGN-IN-0'])
  })

  test('CONSTR-PATTERN for the character 0 in the nick, as in every body', async () => {
    const user = await newUser()
    const response = await signIn({ ...signInOf(user), nick: `${user.nick}\u0000` })
    expect([response.status, await codesOf(response)]).toEqual([400, ['CONSTR-PATTERN']])
  })

  test('SIGN-IN-0 for a locked and for an inactive user', async () => {
    for (const change of [{ locked: 1 as const }, { active: 0 as const }]) {
      const user = await newUser()
      await changeUser(user, change)
      expect(await codesOf(signIn(signInOf(user)))).toEqual(['SIGN-IN-0'])
    }
  })

  test.each([
    [{}, ['CONSTR-NOTNULL', 'CONSTR-NOTNULL']],
    [{ nick: '', password: '' }, ['CONSTR-LENGTH', 'CONSTR-LENGTH']],
    [{ nick: 5, password: 'x' }, ['GEN-3']],
  ])('an invalid document is 400: %j', async (body, codes) => {
    const response = await signIn(body)
    expect([response.status, await codesOf(response)]).toEqual([400, codes])
  })

  test('a form of another site, or a body of another type, is refused', async () => {
    const body = signInOf(await newUser())
    expect((await signIn(body, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await signIn(body, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await signIn(body, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await signIn(body, { origin: ORIGIN, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

test('the console takes no cookie of a program for its session: a neighbour of its host could set one', async () => {
  const cookies = cookiesOf(await call('GET', '/api/login', { as: await newUser() }))
  const ofConsole = { 'sec-fetch-site': 'same-origin' }
  for (const name of ['auth', 'session']) {
    const headers = { cookie: pairOf(cookies[name]) }
    expect((await by('GET', '/api/session', { ...headers, ...ofConsole })).status).toBe(204)
    expect((await by('GET', '/api/session', headers)).status).toBe(200)
  }
  const own = await signedIn(await newUser())
  expect((await by('GET', '/api/session', { ...own, ...ofConsole })).status).toBe(200)
})

describe('signing in with two factor', () => {
  test('SIGN-IN-1 requests the code after a correct password, SIGN-IN-2 reports a wrong code', async () => {
    const { user, secret, scratchCodes } = await withCode()
    await expectStatus(200, signIn(signInOf(user, scratchCodes[0])))
    const codes = async (body: SignIn) => codesOf(signIn(body))
    expect(await codes(signInOf(user))).toEqual(['SIGN-IN-1'])
    expect(await codes(signInOf(user, '12345678'))).toEqual(['SIGN-IN-2'])
    expect(await codes(signInOf({ ...user, password: 'wrong' }, codeOf(secret)))).toEqual(['SIGN-IN-0'])
    const code = codeOf(secret)
    const response = await signIn(signInOf(user, code))
    expect(await expectStatus(200, response)).toMatchObject({
      twoFactorProvider: 'APP_AUTHENTICATOR',
      scratchCodesLeft: 9,
    })
    expect(await codes(signInOf(user, code))).toEqual(['SIGN-IN-2'])
  })

  test('a scratch code works once, and one fewer is left', async () => {
    const { user, scratchCodes } = await withCode()
    const signed = await expectStatus(200, signIn(signInOf(user, scratchCodes[0])))
    expect(signed.scratchCodesLeft).toBe(9)
    expect(await codesOf(signIn(signInOf(user, scratchCodes[0])))).toEqual(['SIGN-IN-2'])
  })

  test('a code can be verified once', async () => {
    const { headers, secret } = await withCode()
    const prove = (code: unknown) => by('POST', '/api/session/code', headers, { code })
    const first = codeOf(secret)
    expect((await prove(first)).status).toBe(204)
    for (const code of [first, '000000x', 'abc', '12345678']) {
      const response = await prove(code)
      expect([response.status, await codesOf(response)]).toEqual([409, ['2FA-8']])
    }
    expect(await codesOf(prove(''))).toEqual(['CONSTR-LENGTH'])
    expect(await codesOf(prove(123456))).toEqual(['GEN-3'])
  })

  test('no code can be verified while two factor is off', async () => {
    const headers = await signedIn(await newUser())
    expect(await codesOf(by('POST', '/api/session/code', headers, { code: '123456' }))).toEqual(['2FA-7'])
    expect((await by('POST', '/api/session/code', {}, { code: '123456' })).status).toBe(401)
  })
})

describe('the session', () => {
  test('signing out ends it and clears its cookie; other sessions stay valid', async () => {
    const user = await newUser()
    const [one, other] = [await signedIn(user), await signedIn(user)]
    const response = await by('DELETE', '/api/session', one)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(cookiesOf(response).console).toMatch(/^console=; Expires=Thu, 01 Jan 1970/)
    expect((await by('GET', '/api/session', one)).status).toBe(204)
    expect((await by('GET', '/api/session', other)).status).toBe(200)
  })

  test.each([{ locked: 1 as const }, { active: 0 as const }, { token_epoch: 1 }])(
    'ends at once with %j',
    async (change) => {
      const user = await newUser()
      const headers = await signedIn(user)
      await changeUser(user, change)
      expect((await by('GET', '/api/session', headers)).status).toBe(204)
    },
  )

  test('a forged cookie is refused, and the kinds of cookies are not confused', async () => {
    const user = await newUser()
    const { cookie } = await signedIn(user)
    const token = tokenOf(await call('GET', '/api/login', { as: user }))
    const sealed = cookie.slice('console='.length)
    const others: Record<string, string>[] = [
      { cookie: 'console=nonsense' },
      { cookie: `${cookie.slice(0, -5)}AAAAA` },
      { cookie: `console=${token}` },
      { cookie: `auth=${sealed}` },
      { authorization: `Token ${sealed}` },
    ]
    for (const headers of others) {
      expect((await by('GET', '/api/session', headers)).status).toBe(204)
    }
  })

  test('unreadable credentials are OAUTH-0', async () => {
    const response = await by('GET', '/api/session', { authorization: 'OAuth oauth_version="2.0"' })
    expect([response.status, await codesOf(response)]).toEqual([400, ['OAUTH-0']])
  })
})
