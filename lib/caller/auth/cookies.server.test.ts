import { describe, expect, test } from 'vitest'
import { call, expectStatus, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'

const loginBy = (headers: Record<string, string>) => call('GET', '/api/login', { as: null, headers })

const signedIn = async (user?: User) => {
  const person = user ?? (await newUser())
  const response = await call('GET', '/api/login', { as: person })
  const { auth, session } = cookiesOf(response)
  return { nick: person.nick, auth: auth ?? '', session: session ?? '', token: tokenOf(response) }
}

const consoleCookieOf = async (user: User) => {
  const response = await call('POST', '/api/session', {
    as: null,
    body: { nick: user.nick, password: user.password },
  })
  return pairOf(cookiesOf(response).console)
}

describe('cookies of a success (docs/api/authentication.md, "Tokens and cookies")', () => {
  test('are auth and session, for 30 minutes and the whole site, hidden from scripts', async () => {
    const { auth, session, token } = await signedIn()
    const form = /^(\w+)=([\w.-]+); Expires=([^;]+); Path=\/; HttpOnly; SameSite=Lax$/
    for (const [cookie, name] of [
      [auth, 'auth'],
      [session, 'session'],
    ]) {
      const [, given, value, expires] = form.exec(cookie ?? '') ?? []
      expect([given, value]).toEqual([name, token])
      const minutes = (Date.parse(expires ?? '') - Date.now()) / 60_000
      expect(minutes).toBeGreaterThan(29)
      expect(minutes).toBeLessThanOrEqual(30)
    }
  })

  test('are Secure if the base URL is https', async () => {
    const { auth } = cookiesOf(await call('GET', `${ORIGIN.replace('http:', 'https:')}/api/login`))
    expect(auth).toMatch(/; Secure$/)
  })
})

describe('a request with cookies', () => {
  test('auth alone, cut at the first semicolon, is enough; so is the session cookie', async () => {
    const { nick, auth, session } = await signedIn()
    for (const cookie of [pairOf(auth), pairOf(session), `${pairOf(session)}; ${pairOf(auth)}`])
      expect(await expectStatus(200, loginBy({ cookie }))).toMatchObject({ nick })
  })

  test('whole Set-Cookie values may be echoed, also joined by commas (docs/api/existing-clients.md, "Existing clients")', async () => {
    const { nick, auth, session } = await signedIn()
    for (const cookie of [auth, `${auth}; ${session}`, `${auth}, ${session}`, `${auth},${session}`, session])
      expect(await expectStatus(200, loginBy({ cookie }))).toMatchObject({ nick })
  })

  test('other cookies are ignored', async () => {
    const { nick, auth } = await signedIn()
    const cookie = `theme=dark; _x=auth%3D; ${pairOf(auth)}; empty=; lonely`
    expect(await expectStatus(200, loginBy({ cookie }))).toMatchObject({ nick })
  })

  test('an invalid cookie gets 401; an empty one is ignored', async () => {
    expect((await loginBy({ cookie: 'auth=nonsense' })).headers.get('www-authenticate')).toBe(
      'Token realm="Service API"',
    )
    const empty = await loginBy({ cookie: 'auth=; session=' })
    expect([empty.status, empty.headers.get('www-authenticate')]).toEqual([
      401,
      'Token realm="Service API", Basic realm="Service API"',
    ])
  })

  test('may also write, because clients other than browsers send no Origin', async () => {
    const { auth } = await signedIn()
    const headers = { cookie: pairOf(auth) }
    const made = await call('POST', '/api/admin/scopes', {
      as: null,
      headers,
      body: { name: unique('Scope') },
    })
    const { id } = await expectStatus(201, made)
    expect((await call('DELETE', `/api/admin/scopes/${id}`, { as: null, headers })).status).toBe(204)
  })
})

describe('the order of the mechanisms', () => {
  test('an Authorization header takes precedence over cookies', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const cookie = pairOf(one.auth)
    const authorized = await loginBy({ cookie, authorization: `Token ${other.token}` })
    expect(await expectStatus(200, authorized)).toMatchObject({ nick: other.nick })
    for (const authorization of ['Token nonsense', 'Basic nonsense', 'Digest nonsense', 'nonsense'])
      expect((await loginBy({ cookie, authorization })).status).toBe(401)
  })

  test('the auth cookie takes precedence over the session cookie and the console’s', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const user = await newUser()
    const console = await consoleCookieOf(user)
    const both = await loginBy({ cookie: `${pairOf(other.session)}; ${pairOf(one.auth)}; ${console}` })
    expect(await expectStatus(200, both)).toMatchObject({ nick: one.nick })
    expect((await loginBy({ cookie: `auth=nonsense; ${console}` })).status).toBe(401)
    expect(await expectStatus(200, loginBy({ cookie: console }))).toMatchObject({ nick: user.nick })
  })
})

describe('a browser that holds cookies of two users (docs/api/authentication.md, "Order of mechanisms")', () => {
  const AUTHORIZED = { authorization: 'of a third user' }
  const fromConsole = { 'sec-fetch-site': 'same-origin' }

  test.each([
    ['from the console', fromConsole, 'console'],
    ['from the console, with an Authorization header', { ...fromConsole, ...AUTHORIZED }, 'console'],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 'program'],
    ['led by another site', { 'sec-fetch-site': 'cross-site' }, 'program'],
    ['led by a sister site', { 'sec-fetch-site': 'same-site' }, 'program'],
    ['of no browser', {}, 'program'],
    ['of no browser, with an Authorization header', AUTHORIZED, 'authorized'],
    ['typed in, with an Authorization header', { 'sec-fetch-site': 'none', ...AUTHORIZED }, 'authorized'],
  ] as const)('%s: %j is the %s', async (_what, headers: Record<string, string>, whose) => {
    const [user, program, authorized] = [await newUser(), await signedIn(), await signedIn()]
    const console = await consoleCookieOf(user)
    const sent = {
      ...headers,
      ...('authorization' in headers && { authorization: `Token ${authorized.token}` }),
    }
    const nicks = { console: user.nick, program: program.nick, authorized: authorized.nick }
    for (const cookie of [`${pairOf(program.auth)}; ${console}`, `${console}; ${pairOf(program.session)}`])
      expect(await expectStatus(200, loginBy({ ...sent, cookie }))).toMatchObject({ nick: nicks[whose] })
  })

  test('after the end of the console session no user is signed in, not even the other one', async () => {
    const program = await signedIn()
    const console = await consoleCookieOf(await newUser())
    const own = { ...fromConsole, cookie: console }
    expect((await call('DELETE', '/api/session', { as: null, headers: own })).status).toBe(204)
    const cookie = `${pairOf(program.auth)}; ${console}`
    expect((await loginBy({ ...fromConsole, cookie })).status).toBe(401)
    const session = call('GET', '/api/session', { as: null, headers: { ...fromConsole, cookie } })
    await expectStatus(204, session)
  })

  test('without a console session the program’s cookie counts', async () => {
    const program = await signedIn()
    for (const cookie of [pairOf(program.auth), `${pairOf(program.auth)}; console=nonsense`])
      expect(await expectStatus(200, loginBy({ ...fromConsole, cookie }))).toMatchObject({
        nick: program.nick,
      })
  })
})

describe('names of cookies over https', () => {
  const https = ORIGIN.replace('http:', 'https:')
  const signIn = async ({ nick, password }: User) =>
    cookiesOf(await call('POST', `${https}/api/session`, { as: null, body: { nick, password } }))

  test('the console’s name cannot be set by a sister site; the names for programs stay the same', async () => {
    const user = await newUser()
    const cookies = await signIn(user)
    expect(Object.keys(cookies).sort()).toEqual(['__Host-console', 'auth', 'session'])
    const cookie = cookies['__Host-console']
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(cookie).not.toContain('Domain')
    const headers = { cookie: pairOf(cookie) }
    const found = call('GET', `${https}/api/session`, { as: null, headers })
    expect(await expectStatus(200, found)).toMatchObject({ nick: user.nick })
    const out = await call('DELETE', `${https}/api/session`, { as: null, headers })
    expect(cookiesOf(out)['__Host-console']).toMatch(/^__Host-console=; .*; Path=\/; .*; Secure$/)
  })

  test('a session that a sister site sets under the plain name is refused', async () => {
    const planted = pairOf((await signIn(await newUser()))['__Host-console']).replace('__Host-', '')
    for (const site of ['none', 'same-origin']) {
      const headers = { cookie: planted, 'sec-fetch-site': site }
      await expectStatus(204, call('GET', `${https}/api/session`, { as: null, headers }))
    }
  })
})

describe('a write that a browser sent from another site', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${ORIGIN}.evil.example` },
    { origin: ORIGIN.replace('http:', 'https:') },
    { origin: `${ORIGIN}:8080` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: ORIGIN.replace('//', '//sister.') },
  ]
  const own: Record<string, string>[] = [
    { origin: ORIGIN },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    {},
  ]
  const logout = (headers: Record<string, string>) => call('POST', '/api/logout', { as: null, headers })

  test.each(foreign)('is 403 with a cookie: %j', async (headers) => {
    const { auth } = await signedIn()
    const console = await consoleCookieOf(await newUser())
    for (const cookie of [pairOf(auth), console]) {
      const response = await logout({ ...headers, cookie })
      expect(response.status).toBe(403)
      expect(response.headers.get('content-type')).toContain('text/html')
      expect((await loginBy({ cookie })).status).toBe(200)
    }
    for (const method of ['PUT', 'DELETE'])
      expect(
        (
          await call(method, '/api/admin/scopes/1', {
            as: null,
            headers: { ...headers, cookie: pairOf(auth) },
          })
        ).status,
      ).toBe(403)
  })

  test.each(own)('is accepted from the own site and from other clients: %j', async (headers) => {
    const { auth } = await signedIn()
    expect((await logout({ ...headers, cookie: pairOf(auth) })).status).toBe(204)
  })

  test.each(foreign)('is 403 with a password, which browsers keep: %j', async (headers) => {
    const response = await call('POST', '/api/logout', { headers })
    expect([response.status, response.headers.has('www-authenticate')]).toEqual([403, false])
  })

  test.each(foreign)('is served with a token, which no browser adds by itself: %j', async (headers) => {
    const { token } = await signedIn()
    expect((await logout({ ...headers, authorization: `Token ${token}` })).status).toBe(204)
  })

  test.each(foreign)(
    'a read is served, because the other site cannot read the response: %j',
    async (headers) => {
      const { auth } = await signedIn()
      const response = await loginBy({ ...headers, cookie: pairOf(auth) })
      expect(response.status).toBe(200)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    },
  )
})
