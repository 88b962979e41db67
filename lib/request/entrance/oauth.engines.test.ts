import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OAuth } from 'oauth'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { rememberConnection } from '#lib/ground/http/client-address.server'
import { apiListener } from '#lib/server/api-listener.server'
import {
  admin,
  basicOf,
  call,
  codesOf,
  expectStatus,
  newUser,
  ORIGIN,
  router,
} from '#lib/tools/testing/client'
import {
  accessToken,
  authorizationOf,
  authorize,
  connect,
  register,
  requestToken,
  signedCall,
} from '#lib/tools/testing/oauth'
import { clientOf } from '#lib/tools/testing/oauth-client'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

afterEach(() => {
  vi.useRealTimers()
})

const robot = async () => {
  const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
  return { user, application: await register(user) }
}

const request = (authorization: string, path = '/oauth/request_token', headers = {}) =>
  call('POST', path, { as: null, headers: { authorization, ...headers } })

const statusOf = async (response: Promise<Response>) => (await response).status

describe('request_token (RFC 5849 §2.1)', () => {
  test('gives a token and a secret of 80 bytes as a form, under both addresses, by GET too', async () => {
    const { application } = await robot()
    for (const path of ['/oauth/request_token', '/api/oauth/request_token'])
      for (const method of ['POST', 'GET']) {
        const data = { oauth_callback: 'https://client.example/back?x=1' }
        const authorization = authorizationOf(application, method, path, { data })
        const response = await call(method, path, { as: null, headers: { authorization } })
        const text = await expectStatus(200, response)
        expect(response.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
        expect(text).toMatch(/^oauth_token=[\w-]+&oauth_token_secret=[\w%]+&oauth_callback_confirmed=true$/)
        const secret = new URLSearchParams(text).get('oauth_token_secret') ?? ''
        expect(Buffer.from(secret, 'base64')).toHaveLength(80)
      }
  })

  test('takes its parameters from the query, and from a form', async () => {
    const { application } = await robot()
    const sign = (method: string) => {
      const url = `${ORIGIN}/oauth/request_token`
      const data = { oauth_callback: 'oob' }
      return new URLSearchParams(clientOf(application).authorize({ url, method, data }) as never).toString()
    }
    expect(await statusOf(call('GET', `/oauth/request_token?${sign('GET')}`, { as: null }))).toBe(200)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = call('POST', '/oauth/request_token', { as: null, headers, body: sign('POST') })
    expect(await statusOf(sent)).toBe(200)
  })

  test.each(['', 'ftp://client.example/', '/back', 'javascript:alert(1)', 'https://client.example/#x'])(
    'OAUTH-0 for the callback "%s"',
    async (callback) => {
      const { application } = await robot()
      const data = { oauth_callback: callback }
      const response = await request(authorizationOf(application, 'POST', '/oauth/request_token', { data }))
      expect([response.status, await codesOf(response)]).toEqual([400, ['OAUTH-0']])
    },
  )

  test('400 for missing, repeated or unknown parameters; 401 with a challenge for wrong credentials', async () => {
    const { application } = await robot()
    const path = '/oauth/request_token'
    const signed = (data: Record<string, string> = {}) =>
      authorizationOf(application, 'POST', path, { data: { oauth_callback: 'oob', ...data } })
    for (const name of [
      'oauth_consumer_key',
      'oauth_signature',
      'oauth_signature_method',
      'oauth_timestamp',
      'oauth_nonce',
    ])
      expect([
        name,
        await statusOf(request(signed().replace(new RegExp(`${name}="[^"]*"`), 'x="y"'))),
      ]).toEqual([name, name === 'oauth_nonce' ? 401 : 400])
    expect(await statusOf(request(`${signed()}, oauth_nonce="again"`))).toBe(400)
    expect(await statusOf(request(signed().replace('HMAC-SHA1', 'HMAC-MD5')))).toBe(400)
    expect(await statusOf(request(signed().replace('oauth_version="1.0"', 'oauth_version="2.0"')))).toBe(400)
    expect(await statusOf(request('OAuth nonsense'))).toBe(400)

    const wrong = [
      signed().replace(/oauth_signature="[^"]*"/, 'oauth_signature="AAAA"'),
      signed().replace(application.apiKey, randomUUID()),
      authorizationOf({ ...application, apiSecret: 'wrong' }, 'POST', path, {
        data: { oauth_callback: 'oob' },
      }),
      authorizationOf(application, 'GET', path, { data: { oauth_callback: 'oob' } }),
      authorizationOf(application, 'POST', `${path}?x=1`, { data: { oauth_callback: 'oob' } }),
    ]
    for (const authorization of wrong) {
      const response = await request(authorization)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'OAuth realm="Service API"',
      ])
      expect(response.headers.get('content-type')).toContain('text/html')
    }
  })
})

describe('authorize (RFC 5849 §2.2)', () => {
  test.each([
    ['https://client.example/back', 'https://client.example/back?'],
    ['https://client.example/back?x=1', 'https://client.example/back?x=1&'],
    ['oob', `${ORIGIN}/verifier?`],
  ])('with credentials approves at once: %s, the verifier last', async (callback, begin) => {
    const { user, application } = await robot()
    const { key } = await requestToken(application, callback)
    const response = await call('GET', `/oauth/authorize?oauth_token=${key}`, { as: user })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${begin.replace(/[?.]/g, '\\$&')}oauth_token=${key}&oauth_verifier=\\w{8}$`),
    )
    const again = await call('GET', `/oauth/authorize?oauth_token=${key}`, { as: user })
    expect([again.status, await codesOf(again)]).toEqual([409, ['OAUTH-1']])
  })

  test('with a token, and by POST', async () => {
    const { user, application } = await robot()
    const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: user }))}` }
    const { key } = await requestToken(application)
    const path = `/api/oauth/authorize?oauth_token=${key}`
    expect(await statusOf(call('POST', path, { as: null, headers }))).toBe(302)
  })

  test('in a browser leads to the consent page; its cookies alone never approve', async () => {
    const { user, application } = await robot()
    const { key } = await requestToken(application)
    const { nick, password } = user
    const session = cookiesOf(await call('POST', '/api/session', { as: null, body: { nick, password } }))
    const program = cookiesOf(await call('GET', '/api/login', { as: user }))
    for (const cookie of ['', pairOf(session.console), pairOf(program.auth)]) {
      const headers = { ...(cookie && { cookie }) }
      const response = await call('GET', `/oauth/authorize?oauth_token=${key}`, { as: null, headers })
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        `${ORIGIN}/consent?oauth_token=${key}`,
      ])
    }
    const headers = { cookie: pairOf(program.auth) }
    const body = { oauthToken: key, approve: true }
    expect(await statusOf(call('POST', '/api/session/consent', { as: null, headers, body }))).toBe(403)
  })

  test('400 without a token or with two, 401 with wrong credentials', async () => {
    const { user } = await robot()
    for (const query of ['', '?oauth_token=', '?oauth_token=a&oauth_token=b'])
      expect(await statusOf(call('GET', `/oauth/authorize${query}`, { as: user }))).toBe(400)
    const as = { ...user, password: 'wrong' }
    expect(await statusOf(call('GET', '/oauth/authorize?oauth_token=x', { as }))).toBe(401)
    expect(await codesOf(call('GET', '/oauth/authorize?oauth_token=x', { as: user }))).toEqual(['OAUTH-1'])
  })
})

describe('the consent page', () => {
  const asking = async (callback = 'https://client.example/back') => {
    const owner = await newUser()
    const application = await register(owner, { name: 'Robot', description: 'Counts addresses' })
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES', 'USERS_VIEW'] })
    const { key } = await requestToken(application, callback)
    const { nick, password } = user
    const signed = await call('POST', '/api/session', { as: null, body: { nick, password } })
    const headers = { cookie: pairOf(cookiesOf(signed).console) }
    const answer = (approve: boolean) =>
      call('POST', '/api/session/consent', { as: null, headers, body: { oauthToken: key, approve } })
    const ask = () => call('GET', `/api/session/consent?oauth_token=${key}`, { as: null, headers })
    return { owner, key, ask, answer, application }
  }

  test('shows the application’s owner, the privileges it would have, and where the answer is sent', async () => {
    const { owner, ask } = await asking()
    expect(await expectStatus(200, ask())).toEqual({
      links: [],
      application: 'Robot',
      description: 'Counts addresses',
      owner: owner.nick,
      privileges: ['USERS_VIEW', 'USERS_MANAGE_SCOPES'],
      returnsTo: 'https://client.example',
    })
  })

  test('approving redirects with the verifier, and the token can then be exchanged', async () => {
    const { key, answer, ask } = await asking()
    const { href } = await expectStatus(200, answer(true))
    expect(href).toMatch(
      new RegExp(`^https://client\\.example/back\\?oauth_token=${key}&oauth_verifier=\\w{8}$`),
    )
    expect(await codesOf(answer(true))).toEqual(['OAUTH-1'])
    expect(await codesOf(ask())).toEqual(['OAUTH-1'])
  })

  test('denying redirects with the reason, and ends the token', async () => {
    const { answer } = await asking()
    expect(await expectStatus(200, answer(false))).toEqual({
      links: [],
      href: 'https://client.example/back?oauth_problem=permission_denied',
    })
    expect(await codesOf(answer(true))).toEqual(['OAUTH-1'])
    const { answer: other } = await asking('oob')
    expect((await expectStatus(200, other(false))).href).toBe(
      `${ORIGIN}/verifier?oauth_problem=permission_denied`,
    )
  })
})

describe('access_token (RFC 5849 §2.3)', () => {
  test('exchanges an authorized request token, once', async () => {
    const { user, application } = await robot()
    const token = await requestToken(application)
    const verifier = await authorize(user, token)
    expect(await statusOf(accessToken(application, token, verifier))).toBe(200)
    expect(await statusOf(accessToken(application, token, verifier))).toBe(401)
  })

  test('only one of several concurrent requests with the same token gets an access token', async () => {
    const { user, application } = await robot()
    const token = await requestToken(application)
    const verifier = await authorize(user, token)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => accessToken(application, token, verifier)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('refuses an unauthorized token, a wrong verifier (which uses the token up), and another application', async () => {
    const { user, application } = await robot()
    const waiting = await requestToken(application)
    expect(await statusOf(accessToken(application, waiting, 'whatever'))).toBe(401)
    const token = await requestToken(application)
    const verifier = await authorize(user, token)
    expect(await statusOf(accessToken(await register(user), token, verifier))).toBe(401)
    expect(await statusOf(accessToken(application, token, `${verifier}x`))).toBe(401)
    expect(await statusOf(accessToken(application, token, verifier))).toBe(401)
  })

  test('refuses one that is older than ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { user, application } = await robot()
    const [early, late] = [await requestToken(application), await requestToken(application)]
    const verifiers = [await authorize(user, early), await authorize(user, late)]
    vi.setSystemTime(Date.now() + 599_000)
    expect(await statusOf(accessToken(application, early, verifiers[0] ?? ''))).toBe(200)
    vi.setSystemTime(Date.now() + 2000)
    expect(await statusOf(accessToken(application, late, verifiers[1] ?? ''))).toBe(401)
  })

  test('an access token is valid until it is revoked', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { user, application } = await robot()
    const token = await connect(application, user)
    vi.setSystemTime(Date.now() + 400 * 24 * 3_600_000)
    expect(await statusOf(signedCall(application, token, 'GET', '/api/login'))).toBe(200)
  })
})

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

test.each(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'RSA-SHA256'] as const)(
  'the whole dance by the client oauth-1.0a, signed with %s',
  async (method) => {
    const user = await newUser({ privileges: [] })
    const application = await register(user, { publicKey })
    const client = clientOf(application, {
      method,
      ...(method.startsWith('RSA') && { privateKey: keys.privateKey }),
    })
    const token = await connect(application, user, client)
    const self = await expectStatus(
      200,
      signedCall(application, token, 'GET', '/api/login?expand=x', { client }),
    )
    expect(self.nick).toBe(user.nick)
  },
)

test('PLAINTEXT is accepted over https only', async () => {
  const user = await newUser({ privileges: [] })
  const application = await register(user)
  const client = clientOf(application, { method: 'PLAINTEXT' })
  await expect(requestToken(application, 'oob', client)).rejects.toThrow('401')
  const site = { BASE_URL: ORIGIN.replace('http:', 'https:') }
  await withSettings(site, async () => {
    const token = await connect(application, user, client)
    expect(await statusOf(signedCall(application, token, 'GET', '/api/login', { client }))).toBe(200)
  })
})

test('behind a proxy the base string is built on BASE_URL', async () => {
  const { user, application } = await robot()
  await withSettings({ BASE_URL: 'https://cloud.example' }, async () => {
    const path = '/oauth/request_token'
    const data = { oauth_callback: 'oob' }
    const inside = authorizationOf(application, 'POST', path, { data })
    expect(await statusOf(request(inside))).toBe(401)
    const outside = authorizationOf(application, 'POST', `https://cloud.example${path}`, { data })
    expect(await statusOf(request(outside))).toBe(200)
  })
  expect(user.id).toBeGreaterThan(0)
})

test('the whole flow with the client library oauth, over HTTP', async () => {
  const { user, application } = await robot()
  const server = createServer(apiListener(await router()))
    .on('connection', rememberConnection)
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new OAuth(
    `${site}/oauth/request_token`,
    `${site}/oauth/access_token`,
    application.apiKey,
    application.apiSecret,
    '1.0A',
    'oob',
    'HMAC-SHA1',
  )
  const [key, secret] = await new Promise<[string, string]>((resolve, reject) => {
    client.getOAuthRequestToken((error, token, tokenSecret) =>
      error ? reject(new Error(JSON.stringify(error))) : resolve([token, tokenSecret]),
    )
  })
  const approved = await fetch(`${site}/oauth/authorize?oauth_token=${key}`, {
    redirect: 'manual',
    headers: { authorization: basicOf(user) },
  })
  const verifier = approved.headers.get('location')?.split('oauth_verifier=')[1] ?? ''
  const access = await new Promise<[string, string]>((resolve, reject) => {
    client.getOAuthAccessToken(key, secret, verifier, (error, token, tokenSecret) =>
      error ? reject(new Error(JSON.stringify(error))) : resolve([token, tokenSecret]),
    )
  })
  const self = await new Promise<string>((resolve, reject) => {
    client.get(`${site}/api/login?a=b%20c&d=%2B%26`, ...access, (error, data) =>
      error ? reject(new Error(JSON.stringify(error))) : resolve(String(data)),
    )
  })
  expect(JSON.parse(self).nick).toBe(user.nick)
  const scope = JSON.stringify({ name: `Signed ${randomUUID()}`, links: [] })
  const made = await new Promise<string>((resolve, reject) => {
    client.post(`${site}/api/admin/scopes`, ...access, scope, 'application/json', (error, data) =>
      error ? reject(new Error(JSON.stringify(error))) : resolve(String(data)),
    )
  })
  expect(JSON.parse(made).id).toEqual(expect.any(Number))
  server.close()
})

describe('a signed request', () => {
  test('is accepted once per consumer, token, timestamp and nonce, also in a race', async () => {
    const { user, application } = await robot()
    const token = await connect(application, user)
    const authorization = authorizationOf(application, 'GET', '/api/login', { token })
    const send = () => call('GET', '/api/login', { as: null, headers: { authorization } })
    const answers = await Promise.all(Array.from({ length: 6 }, send))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await statusOf(send())).toBe(401)
  })

  test.each([
    [-299, 200],
    [-302, 401],
    [299, 200],
    [302, 401],
  ])('whose clock is %d s off is answered %d', async (seconds, status) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { user, application } = await robot()
    const token = await connect(application, user)
    const now = Date.now()
    vi.setSystemTime(now + seconds * 1000)
    const authorization = authorizationOf(application, 'GET', '/api/login', { token })
    vi.setSystemTime(now)
    expect(await statusOf(call('GET', '/api/login', { as: null, headers: { authorization } }))).toBe(status)
  })

  test('may carry the hash of its body: SHA-1 or SHA-256 by its length, and it is checked', async () => {
    const { user, application } = await robot()
    const token = await connect(application, user)
    const body = JSON.stringify({ name: `Hashed ${randomUUID()}`, links: [] })
    const send = (hash: string) => {
      const data = { oauth_body_hash: hash }
      const authorization = authorizationOf(application, 'POST', '/api/admin/scopes', { token, data })
      return statusOf(call('POST', '/api/admin/scopes', { as: null, headers: { authorization }, body }))
    }
    const hashed = (name: string, text: string) => createHash(name).update(text).digest('base64')
    expect(await send(hashed('sha1', `${body} `))).toBe(401)
    expect(await send(hashed('sha256', 'other'))).toBe(401)
    expect(await send('')).toBe(401)
    expect(await send(hashed('sha256', body))).toBe(201)
    expect(await send(hashed('sha1', body))).toBe(409)
  })

  test('may have a key twice in its query, as clients that append to a link send it', async () => {
    const { user, application } = await robot()
    const token = await connect(application, user)
    const path = '/api/admin/scopes?limit=5&startwith=0&limit=7&has=a%20b%2Bc'
    expect(await statusOf(signedCall(application, token, 'GET', path))).toBe(200)
  })

  test('takes precedence over cookies, and needs no verification code', async () => {
    const { user, application } = await robot()
    const token = await connect(application, user)
    await changeUser(user, { two_factor_provider: 'APP_AUTHENTICATOR' })
    const headers = { cookie: pairOf(cookiesOf(await call('GET', '/api/login', { as: admin })).auth) }
    const self = await expectStatus(200, signedCall(application, token, 'GET', '/api/login', { headers }))
    expect(self.nick).toBe(user.nick)
  })

  test('is refused for a locked or inactive user, and accepted after a changed password', async () => {
    const { user, application } = await robot()
    const token = await connect(application, user)
    const status = () => statusOf(signedCall(application, token, 'GET', '/api/login'))
    await changeUser(user, { token_epoch: 5 })
    expect(await status()).toBe(200)
    await changeUser(user, { locked: 1 })
    expect(await status()).toBe(401)
    await changeUser(user, { locked: 0, active: 0 })
    expect(await status()).toBe(401)
  })
})
