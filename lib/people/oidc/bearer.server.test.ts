import type { JWTPayload } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Call, call, expectStatus, newUser } from '#lib/tools/testing/client'
import { connect, register, signedCall } from '#lib/tools/testing/oauth'
import {
  expectRefusedBearer,
  INTROSPECTION,
  loginWithBearer,
  newProvider,
  nowInSeconds,
  providerOfFile,
  signInThere,
} from '#lib/tools/testing/oidc'
import { changeUser, tokenOf } from '#lib/tools/testing/session'

const there = await providerOfFile()

afterEach(() => {
  vi.useRealTimers()
})

describe('a JWT of the provider', () => {
  test('opens the API as the user whom its claim names, and brings a token', () =>
    there.on(async () => {
      const person = await newUser()
      const response = await loginWithBearer(await there.sign(there.claimsFor(person)))
      expect(await expectStatus(200, response.clone())).toMatchObject({ nick: person.nick })
      const headers = { authorization: `Token ${tokenOf(response)}` }
      expect(await expectStatus(200, call('GET', '/api/login', { as: null, headers }))).toMatchObject({
        nick: person.nick,
      })
    }))

  test('of the type of access tokens, in whatever case the scheme is written', () =>
    there.on(async () => {
      const token = await there.sign({ ...there.claimsFor(await newUser()), nonce: 'x' }, { typ: 'at+jwt' })
      for (const scheme of ['Bearer', 'bearer', 'BEARER'])
        await expectStatus(
          200,
          call('GET', '/api/login', { as: null, headers: { authorization: `${scheme} ${token}` } }),
        )
    }))

  test('that the provider itself gave to a program', async () => {
    const api = await newProvider({ audience: 'https://console.example/api' })
    await api.on(
      async () => {
        const person = await api.newPerson()
        const { browser } = await signInThere(person)
        const { accessToken } = await expectStatus(200, browser.send('/api/session/tokens'))
        expect(accessToken.split('.')).toHaveLength(3)
        expect(await expectStatus(200, loginWithBearer(accessToken))).toMatchObject({ nick: person.nick })
        expect(api.asked(INTROSPECTION)).toBe(0)
      },
      { OIDC_AUDIENCE: 'https://console.example/api' },
    )
    await api.goDown()
  })

  test('for the audience of the settings, and for no other', () =>
    there.on(
      async () => {
        const claims = there.claimsFor(await newUser())
        await expectStatus(200, loginWithBearer(await there.sign({ ...claims, aud: ['x', 'api'] })))
        await expectRefusedBearer(loginWithBearer(await there.sign(claims)))
      },
      { OIDC_AUDIENCE: 'api' },
    ))

  test('asks for no second factor, which is up to the provider', () =>
    there.on(async () => {
      const person = await newUser()
      await changeUser(person, { two_factor_provider: 'APP_AUTHENTICATOR' })
      await expectStatus(200, loginWithBearer(await there.sign(there.claimsFor(person))))
    }))

  test.each<[string, JWTPayload]>([
    ['that has run out', { exp: -55 }],
    ['that was issued', { iat: 55 }],
    ['that is good', { nbf: 55 }],
  ])('%s by less than the clocks may differ is accepted', (_what, times) =>
    there.on(async () => {
      const shifted = Object.entries(times).map(([name, seconds]) => [name, nowInSeconds() + Number(seconds)])
      const claims = { ...there.claimsFor(await newUser()), ...Object.fromEntries(shifted) }
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
    }),
  )
})

describe('keys of the provider', () => {
  let minutes = 0
  beforeEach(() => {
    minutes += 1
    vi.useFakeTimers({ toFake: ['Date'] })
    // Resets the attempts that earlier tests have used.
    vi.setSystemTime(Date.now() + minutes * 60_000)
  })

  const madeUp = async (kid: string) =>
    loginWithBearer(await there.sign(there.claimsFor(await newUser()), { kid }))

  test('that were changed are fetched, and the old one is good no more', () =>
    there.on(async () => {
      const claims = there.claimsFor(await newUser())
      const old = await there.sign(claims)
      await expectStatus(200, loginWithBearer(old))
      await there.rotateKeys()
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      await expectRefusedBearer(loginWithBearer(old))
    }))

  test('that were changed are fetched although an unknown one was asked for just before', () =>
    there.on(async () => {
      const claims = there.claimsFor(await newUser())
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      await expectRefusedBearer(madeUp('of nobody'))
      await there.rotateKeys()
      const token = await there.sign(claims)
      const several = await Promise.all([1, 2, 3].map(() => loginWithBearer(token)))
      expect(several.map(({ status }) => status)).toEqual([200, 200, 200])
    }))

  test('a flood of made-up keys has them fetched a few times, then once a second; a new key waits no longer', () =>
    there.on(async () => {
      const claims = there.claimsFor(await newUser())
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      const before = there.asked('/jwks')
      for (let index = 0; index < 30; index += 1) await expectRefusedBearer(madeUp(`flood ${index}`))
      expect(there.asked('/jwks') - before).toBe(5)
      await there.rotateKeys()
      await expectRefusedBearer(madeUp('flood'))
      vi.setSystemTime(Date.now() + 1001)
      await expectRefusedBearer(madeUp('flood again'))
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      expect(there.asked('/jwks') - before).toBe(6)
    }))

  test('one made-up key has them fetched once', () =>
    there.on(async () => {
      await expectStatus(200, loginWithBearer(await there.sign(there.claimsFor(await newUser()))))
      const before = there.asked('/jwks')
      for (let times = 0; times < 10; times += 1) await expectRefusedBearer(madeUp('the same'))
      expect(there.asked('/jwks') - before).toBe(1)
    }))
})

test('a malformed token is refused without a request to the provider', () =>
  there.on(async () => {
    const before = there.asked(INTROSPECTION)
    for (const token of ['', ' ', 'ü', 'a b', '===', 'x'.repeat(20_000)])
      await expectRefusedBearer(loginWithBearer(token))
    expect(there.asked(INTROSPECTION)).toBe(before)
  }))

test('while the provider cannot be reached a token that needs it is no wrong one', async () => {
  const other = await newProvider()
  await other.goDown()
  await other.on(async () => {
    await expectStatus(503, loginWithBearer('x'.repeat(43)))
    await expectStatus(503, loginWithBearer(await other.sign({ aud: 'console' })))
  })
})

describe('Basic', () => {
  test('is neither accepted nor offered while OpenID Connect is on', () =>
    there.on(async () => {
      const person = await newUser()
      const offered = async (options: Call) => {
        const response = await call('GET', '/api/login', options)
        return [response.status, response.headers.get('www-authenticate')]
      }
      const bearerAndToken = [401, 'Token realm="Service API", Bearer realm="Service API"']
      expect(await offered({ as: person })).toEqual(bearerAndToken)
      expect(await offered({ as: null })).toEqual(bearerAndToken)
      const { nick, password } = person
      const body = { nick, password }
      expect((await call('POST', '/api/session', { as: null, body })).status).toBe(403)
    }))

  test('is offered beside Token without it, and a Bearer token is refused as such', async () => {
    const token = await there.sign(there.claimsFor(await newUser()))
    const response = await loginWithBearer(token)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Service API", error="invalid_token"',
    ])
  })
})

test('OAuth 1.0a and Token still work', async () => {
  const person = await newUser()
  const application = await register(person)
  const granted = await connect(application, person)
  const authorization = `Token ${tokenOf(await call('GET', '/api/login', { as: person }))}`
  await there.on(async () => {
    await expectStatus(200, call('GET', '/api/login', { as: null, headers: { authorization } }))
    await expectStatus(200, signedCall(application, granted, 'GET', '/api/login'))
  })
})
