import { describe, expect, test } from 'vitest'
import { basicOf, call, expectStatus, newUser, ORIGIN, router, type User } from '#lib/tools/testing/client'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

const both = 'Token realm="Service API", Basic realm="Service API"'

describe('the challenge of a 401 (docs/api/authentication.md, "Challenges")', () => {
  const challengeOf = async (headers: Record<string, string>) => {
    const response = await call('GET', '/api/admin/datacenters', { as: null, headers })
    expect(response.status).toBe(401)
    return response.headers.get('www-authenticate')
  }

  test('without credentials offers Basic and Token', async () => {
    expect(await challengeOf({})).toBe(both)
  })

  test('after failed ones offers their scheme', async () => {
    expect(await challengeOf({ authorization: basicOf({ nick: 'nobody', password: 'x' }) })).toBe(
      'Basic realm="Service API"',
    )
    expect(await challengeOf({ authorization: 'Token x' })).toBe('Token realm="Service API"')
    expect(await challengeOf({ cookie: 'auth=x' })).toBe('Token realm="Service API"')
  })

  test('a refused Bearer token is named, without OpenID Connect and to scripts too (RFC 6750 §3)', async () => {
    for (const authorization of ['Bearer x', 'bearer', 'Bearer sat_x'])
      for (const browser of [undefined, { 'sec-fetch-dest': 'empty' }])
        expect(await challengeOf({ authorization, ...browser })).toBe(
          'Bearer realm="Service API", error="invalid_token"',
        )
  })

  test('after an unknown scheme offers both', async () => {
    for (const authorization of ['Digest username="x"', 'Negotiate abc', 'Basicx abc', 'x'])
      expect(await challengeOf({ authorization })).toBe(both)
  })

  test('never offers Basic to a script in a browser, which would open its own prompt', async () => {
    const script = { 'sec-fetch-dest': 'empty' }
    const failed = { authorization: basicOf({ nick: 'nobody', password: 'x' }) }
    for (const headers of [script, { ...script, ...failed }, { ...script, cookie: 'console=x' }])
      expect(await challengeOf(headers)).toBe('Token realm="Service API"')
    expect(await challengeOf({ 'sec-fetch-dest': 'document' })).toBe(both)
  })

  test('names the realm of the settings', async () => {
    await withSettings({ REALM: 'Cloud of tests' }, async () => {
      expect(await challengeOf({})).toBe('Token realm="Cloud of tests", Basic realm="Cloud of tests"')
    })
  })

  test('comes with a small page, its length and the date', async () => {
    const response = await call('GET', '/api/admin/datacenters', {
      as: null,
      headers: { accept: 'application/json' },
    })
    const text = await response.text()
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(text).toMatch(/^<!doctype html>/)
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(Date.parse(response.headers.get('date') ?? '')).not.toBeNaN()
  })

  test('a missing privilege is 403 with such a page and no challenge', async () => {
    const as = await newUser({ privileges: [] })
    const response = await call('GET', '/api/admin/datacenters', {
      as,
      headers: { accept: 'application/xml' },
    })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([403, null])
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(await response.text())))
  })
})

describe('signing out', () => {
  const logout = (headers: Record<string, string>) => call('POST', '/api/logout', { as: null, headers })
  const statusBy = async (headers: Record<string, string>) =>
    (await call('GET', '/api/login', { as: null, headers })).status

  test('ends only the chain of the token in the request (docs/api/authentication.md, "Tokens and cookies")', async () => {
    const user = await newUser()
    const [one, other] = [
      await call('GET', '/api/login', { as: user }),
      await call('GET', '/api/login', { as: user }),
    ]
    const first = { authorization: `Token ${tokenOf(one)}` }
    const next = await call('GET', '/api/login', { as: null, headers: first })
    const second = { authorization: `Token ${tokenOf(next)}` }
    expect((await logout(second)).status).toBe(204)
    for (const headers of [
      first,
      second,
      { cookie: pairOf(cookiesOf(one).auth) },
      { cookie: pairOf(cookiesOf(next).session) },
    ])
      expect(await statusBy(headers)).toBe(401)
    expect(await statusBy({ authorization: `Token ${tokenOf(other)}` })).toBe(200)
    expect((await call('GET', '/api/login', { as: user })).status).toBe(200)
  })

  test('clears the cookies and returns no new token', async () => {
    const response = await logout({ cookie: pairOf(cookiesOf(await call('GET', '/api/login')).auth) })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('x-service-token')).toBeNull()
    const cookies = cookiesOf(response)
    expect(Object.keys(cookies).sort()).toEqual(['auth', 'console', 'session'])
    for (const cookie of Object.values(cookies))
      expect(cookie).toMatch(/^\w+=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('needs credentials, and cannot be done twice with the same ones', async () => {
    expect((await logout({})).status).toBe(401)
    const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login'))}` }
    expect((await logout(headers)).status).toBe(204)
    expect((await logout(headers)).status).toBe(401)
  })
})

describe('allowedCIDRs (docs/api/authentication.md, "Basic")', () => {
  const from = async (address: string, as: User, more: Record<string, string> = {}) => {
    const headers = { authorization: basicOf(as), ...more }
    const request = new Request(`${ORIGIN}/api/login`, { headers })
    return (await router()).fetch(request, address)
  }
  const limited = async (...cidrs: string[]) => {
    const user = await newUser()
    await changeUser(user, { allowed_cidrs: JSON.stringify(cidrs) })
    return user
  }

  test('a user without networks may sign in from anywhere', async () => {
    const user = await newUser()
    expect((await from('203.0.113.7', user)).status).toBe(200)
    expect((await from('2001:db8::1', user)).status).toBe(200)
  })

  test.each([
    ['10.1.2.3', 200],
    ['10.2.0.1', 401],
    ['::ffff:10.1.2.3', 200],
    ['2001:db8:1::7', 200],
    ['2001:db8:2::7', 401],
    ['127.0.0.1', 401],
  ])('one with 10.1.0.0/16 and 2001:db8:1::/48 from %s: %d', async (address, status) => {
    expect((await from(address, await limited('10.1.0.0/16', '2001:db8:1::/48'))).status).toBe(status)
  })

  test('a sign-in from another network gets the same answer as a wrong password', async () => {
    const user = await limited('10.1.0.0/16')
    const [elsewhere, wrong] = [
      await from('10.9.9.9', user),
      await from('10.1.0.1', { ...user, password: 'wrong' }),
    ]
    expect([elsewhere.status, await elsewhere.text()]).toEqual([wrong.status, await wrong.text()])
    expect(elsewhere.headers.get('www-authenticate')).toBe(wrong.headers.get('www-authenticate'))
    const body = { nick: user.nick, password: user.password }
    expect(await (await call('POST', '/api/session', { as: null, body })).json()).toMatchObject({
      collection: [{ code: 'SIGN-IN-0' }],
    })
  })

  test('X-Forwarded-For counts only if a trusted proxy sends it', async () => {
    const user = await limited('10.1.0.0/16')
    const forwarded = { 'x-forwarded-for': '10.9.9.9, 10.1.2.3' }
    expect((await from('192.0.2.1', user, forwarded)).status).toBe(401)
    await withSettings({ TRUST_PROXY: ['192.0.2.0/24'] }, async () => {
      expect((await from('192.0.2.1', user, forwarded)).status).toBe(200)
      expect((await from('192.0.2.1', user, { 'x-forwarded-for': '10.1.2.3, 10.9.9.9' })).status).toBe(401)
      expect((await from('198.51.100.1', user, forwarded)).status).toBe(401)
    })
  })

  test('X-Forwarded-For is never trusted for loopback (docs/api/authentication.md, "Basic")', async () => {
    const user = await limited('127.0.0.0/8')
    await withSettings({ TRUST_PROXY: ['192.0.2.1'] }, async () => {
      expect((await from('192.0.2.1', user, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(401)
    })
  })
})

test('GET login returns the user; expand=privileges adds their privileges (docs/api/authentication.md, "Tokens and cookies")', async () => {
  const as = await newUser({ privileges: ['VDC_ENUMERATE', 'MANAGE_DEVICES'] })
  expect(await expectStatus(200, call('GET', '/api/login', { as }))).not.toHaveProperty('privileges')
  const expanded = await expectStatus(200, call('GET', '/api/login?expand=privileges', { as }))
  expect(expanded.privileges).toEqual(['MANAGE_DEVICES', 'VDC_ENUMERATE'])
})
