import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Call, call, expectStatus, newUser, type User, unique } from '#lib/testing/client'
import { connect, register, signedCall } from '#lib/testing/oauth'
import {
  type AtProvider,
  expectRefusedBearer,
  loginWithBearer,
  newProvider,
  signInThere,
} from '#lib/testing/oidc'
import { newKey } from '#lib/testing/oidc-provider'
import { changeUser, tokenOf } from '#lib/testing/session'

let there: AtProvider

beforeAll(async () => {
  there = await newProvider()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => there.goDown())

const INTROSPECTION = '/token/introspection'

const now = () => Math.floor(Date.now() / 1000)

const claimsFor = ({ nick }: Pick<User, 'nick'>): JWTPayload => ({
  iss: there.issuer,
  aud: 'console',
  sub: nick,
  preferred_username: nick,
  exp: now() + 60,
})

describe('a JWT of the provider', () => {
  test('opens the API as the user whom its claim names, and brings a token', () =>
    there.on(async () => {
      const person = await newUser()
      const response = await loginWithBearer(await there.sign(claimsFor(person)))
      expect(await expectStatus(200, response.clone())).toMatchObject({ nick: person.nick })
      const headers = { authorization: `Token ${tokenOf(response)}` }
      expect(await expectStatus(200, call('GET', '/api/login', { as: null, headers }))).toMatchObject({
        nick: person.nick,
      })
    }))

  test('of the type of access tokens, in whatever case the scheme is written', () =>
    there.on(async () => {
      const token = await there.sign({ ...claimsFor(await newUser()), nonce: 'x' }, { typ: 'at+jwt' })
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
        const claims = claimsFor(await newUser())
        await expectStatus(200, loginWithBearer(await there.sign({ ...claims, aud: ['x', 'api'] })))
        await expectRefusedBearer(loginWithBearer(await there.sign(claims)))
      },
      { OIDC_AUDIENCE: 'api' },
    ))

  test('asks for no second factor: that is the business of the provider', () =>
    there.on(async () => {
      const person = await newUser()
      await changeUser(person, { two_factor_provider: 'APP_AUTHENTICATOR' })
      await expectStatus(200, loginWithBearer(await there.sign(claimsFor(person))))
    }))

  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' })],
    ['of no issuer', ({ iss: _iss, ...claims }) => claims],
    ['for another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['for no audience', ({ aud: _aud, ...claims }) => claims],
    ['that has run out', (claims) => ({ ...claims, exp: now() - 61 })],
    ['that never runs out', ({ exp: _exp, ...claims }) => claims],
    ['that is not yet good', (claims) => ({ ...claims, nbf: now() + 65 })],
    ['for a user whom nobody knows', (claims) => ({ ...claims, preferred_username: unique('nobody') })],
    ['that names nobody', (claims) => ({ ...claims, preferred_username: '' })],
    ['that names somebody with a character 0', (claims) => ({ ...claims, preferred_username: 'a\0' })],
    ['that is an ID token', (claims) => ({ ...claims, nonce: 'x' })],
    ['that is an ID token, by its hash', (claims) => ({ ...claims, at_hash: 'x' })],
    ['that is a refresh token, by its kind', (claims) => ({ ...claims, typ: 'Refresh' })],
    ['that is bound to a key', (claims) => ({ ...claims, cnf: { jkt: 'x' } })],
  ])('%s is refused', (_what, change) =>
    there.on(async () => {
      await expectRefusedBearer(loginWithBearer(await there.sign(change(claimsFor(await newUser())))))
    }),
  )

  test('that has run out by less than the clocks may differ is accepted', () =>
    there.on(async () => {
      await expectStatus(
        200,
        loginWithBearer(await there.sign({ ...claimsFor(await newUser()), exp: now() - 55 })),
      )
    }))

  test('of another kind by its type is refused', () =>
    there.on(async () => {
      await expectRefusedBearer(
        loginWithBearer(await there.sign(claimsFor(await newUser()), { typ: 'logout+jwt' })),
      )
    }))

  test('of a user who may not sign in is refused, and of one who may not from here', () =>
    there.on(async () => {
      for (const columns of [
        { active: 0 as const },
        { locked: 1 as const },
        { allowed_cidrs: '["10.0.0.0/8"]' },
      ]) {
        const person = await newUser()
        const token = await there.sign(claimsFor(person))
        await expectStatus(200, loginWithBearer(token))
        await changeUser(person, columns)
        await expectRefusedBearer(loginWithBearer(token))
      }
    }))

  test('that the provider did not sign is refused: none, HS256 with the public key, another key, no signature', () =>
    there.on(async () => {
      const claims = claimsFor(await newUser())
      const { kid, jwk } = there.key()
      const publicKey = await importJWK({ kty: jwk.kty, n: jwk.n, e: jwk.e }, 'RS256', { extractable: true })
      const pem = new TextEncoder().encode(await exportSPKI(publicKey as CryptoKey))
      const other = await newKey()
      const good = await there.sign(claims)
      const forged = [
        new UnsecuredJWT(claims).encode(),
        await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(pem),
        await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(other.privateKey),
        await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'x' }).sign(other.privateKey),
        good.replace(/[^.]+$/, ''),
        `${good}x`,
        `${good}.`,
      ]
      for (const token of forged) await expectRefusedBearer(loginWithBearer(token))
      await expectStatus(200, loginWithBearer(good))
    }))

  test('is good after the provider changed its keys, and one of the old key is not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await there.on(async () => {
      const claims = claimsFor(await newUser())
      const old = await there.sign(claims)
      await expectStatus(200, loginWithBearer(old))
      await there.rotateKeys()
      vi.setSystemTime(Date.now() + 1001)
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      await expectRefusedBearer(loginWithBearer(old))
    })
  })

  test('of unknown keys, many of them, has the keys fetched once a second', () =>
    there.on(async () => {
      const claims = claimsFor(await newUser())
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      const before = there.asked('/jwks')
      const many = Array.from({ length: 20 }, async (_, index) =>
        loginWithBearer(await there.sign(claims, { kid: `x${index}` })),
      )
      for (const answer of many) await expectRefusedBearer(answer)
      expect(there.asked('/jwks') - before).toBeLessThanOrEqual(1)
    }))
})

test('what is no token at all is refused without asking anybody', () =>
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

  test('is offered beside Token without it, and Bearer is nothing', async () => {
    const token = await there.sign(claimsFor(await newUser()))
    const response = await loginWithBearer(token)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Token realm="Service API", Basic realm="Service API"',
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
