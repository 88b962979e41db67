import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { log } from '#lib/ground/log.server'
import { type TokenCheck, tokenChecks } from '#lib/people/oidc/refused-token.server'
import { expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import {
  expectRefusedBearer,
  loginWithBearer,
  newProvider,
  nowInSeconds,
  providerOfFile,
  signInThere,
} from '#lib/tools/testing/oidc'
import { newKey } from '#lib/tools/testing/oidc-provider'
import { changeUser } from '#lib/tools/testing/session'

/* Bearer tokens that open nothing: each is 401, and the log names the check that failed, but not the token. */

const there = await providerOfFile()

/** Presents a token. Returns the logged reason of its refusal. */
async function checkOf(token: string): Promise<{ check?: TokenCheck; requestId?: string }> {
  const info = vi.spyOn(log(), 'info')
  const warn = vi.spyOn(log(), 'warn')
  try {
    await expectRefusedBearer(loginWithBearer(token))
    const lines = [...info.mock.calls, ...warn.mock.calls]
    const logged = JSON.stringify(lines)
    for (const part of token.split('.').filter((text) => text.length > 8)) expect(logged).not.toContain(part)
    const [found, ...more] = lines.filter(([, message]) => message === 'a Bearer token was refused')
    expect(more).toEqual([])
    return { ...(found?.[0] as object) }
  } finally {
    info.mockRestore()
    warn.mockRestore()
  }
}

type Bad = {
  what: string
  check: TokenCheck
  change?: (claims: JWTPayload, person: User) => JWTPayload | Promise<JWTPayload>
  header?: Record<string, unknown>
  forge?: (claims: JWTPayload, good: string) => Promise<string> | string
  settings?: Partial<Env>
}

const hmacWithPublicKey = async (claims: JWTPayload) => {
  const { kid, jwk } = there.key()
  const publicKey = await importJWK({ kty: jwk.kty, n: jwk.n, e: jwk.e }, 'RS256', { extractable: true })
  const pem = new TextEncoder().encode(await exportSPKI(publicKey as CryptoKey))
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(pem)
}

const signedByAnother = (header: object) => async (claims: JWTPayload) => {
  const { privateKey } = await newKey()
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)
}

const drop =
  (name: string) =>
  ({ [name]: _dropped, ...claims }: JWTPayload) =>
    claims

const jwts: Bad[] = [
  { what: 'no token', check: 'malformed', forge: () => 'a b' },
  { what: 'an empty token', check: 'malformed', forge: () => '' },
  { what: 'far too long', check: 'malformed', forge: () => 'x'.repeat(20_000) },
  { what: 'a fourth part', check: 'inactive at introspection', forge: (_claims, good) => `${good}.` },
  {
    what: 'no signature: alg none',
    check: 'algorithm',
    forge: (claims) => new UnsecuredJWT(claims).encode(),
  },
  { what: 'HS256 with the public key', check: 'algorithm', forge: hmacWithPublicKey },
  { what: 'an unknown key', check: 'unknown key', forge: signedByAnother({ kid: 'unknown' }) },
  {
    what: 'another key of a known name',
    check: 'signature',
    forge: (claims) => signedByAnother({ kid: there.key().kid })(claims),
  },
  {
    what: 'its signature taken off',
    check: 'signature',
    forge: (_claims, good) => good.replace(/[^.]+$/, ''),
  },
  { what: 'something behind its signature', check: 'signature', forge: (_claims, good) => `${good}xxxx` },
  { what: 'another issuer', check: 'issuer', change: (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' }) },
  { what: 'no issuer', check: 'issuer', change: drop('iss') },
  { what: 'another audience', check: 'audience', change: (claims) => ({ ...claims, aud: 'another' }) },
  { what: 'no audience', check: 'audience', change: drop('aud') },
  {
    what: 'the client as its audience, where another one is set',
    check: 'audience',
    settings: { OIDC_AUDIENCE: 'api' },
  },
  {
    what: 'an end that is over',
    check: 'expired',
    change: (claims) => ({ ...claims, exp: nowInSeconds() - 61 }),
  },
  { what: 'no end', check: 'no expiry', change: drop('exp') },
  {
    what: 'a beginning to come',
    check: 'not yet valid',
    change: (claims) => ({ ...claims, nbf: nowInSeconds() + 65 }),
  },
  {
    what: 'iat in the future',
    check: 'issued in the future',
    change: (claims) => ({ ...claims, iat: nowInSeconds() + 65 }),
  },
  {
    what: 'a key that it is bound to',
    check: 'bound to a key',
    change: (claims) => ({ ...claims, cnf: { jkt: 'x' } }),
  },
  {
    what: 'nobody as its user',
    check: 'no claim names the user',
    change: (claims) => ({ ...claims, preferred_username: '', sub: 'nobody' }),
  },
  {
    what: 'a nick with a character 0',
    check: 'no claim names the user',
    change: (claims) => ({ ...claims, preferred_username: 'a\0', sub: 'zero' }),
  },
  {
    what: 'a user whom nobody knows',
    check: 'no such user',
    change: (claims) => ({ ...claims, preferred_username: unique('nobody'), sub: 'unknown' }),
  },
  ...[{ active: 0 as const }, { locked: 1 as const }, { allowed_cidrs: '["10.0.0.0/8"]' }].map(
    (columns): Bad => ({
      what: `a user who may not sign in: ${JSON.stringify(columns)}`,
      check: 'user may not sign in',
      change: async (claims, person) => {
        await changeUser(person, columns)
        return claims
      },
    }),
  ),
  {
    what: 'the nick of a user who is bound to another subject',
    check: 'another subject',
    change: async (claims) => {
      await expectStatus(200, loginWithBearer(await there.sign({ ...claims, sub: unique('first') })))
      return { ...claims, sub: unique('second') }
    },
  },
  {
    what: 'no subject',
    check: 'no subject',
    change: drop('sub'),
  },
  {
    what: 'no subject, for a user who is bound to one',
    check: 'no subject',
    change: async (claims) => {
      await expectStatus(200, loginWithBearer(await there.sign(claims)))
      return drop('sub')(claims)
    },
  },
  {
    what: 'a user who has a password, where such are not linked',
    check: 'not linked',
    settings: { OIDC_LINK_EXISTING: false },
  },
  // An ID token of each provider: none of them is accepted as a credential.
  { what: 'an ID token that says no more than it must', check: 'not an access token', change: drop('scope') },
  {
    what: 'an ID token with a nonce',
    check: 'not an access token',
    change: (claims) => ({ ...claims, nonce: 'x' }),
  },
  {
    what: 'an ID token with at_hash',
    check: 'not an access token',
    change: (claims) => ({ ...claims, at_hash: 'x' }),
  },
  {
    what: 'an ID token with c_hash',
    check: 'not an access token',
    change: (claims) => ({ ...claims, c_hash: 'x' }),
  },
  {
    what: 'an ID token with azp and sid, as after a refresh',
    check: 'not an access token',
    change: (claims) => ({ ...drop('scope')(claims), azp: 'console', sid: 'x', auth_time: nowInSeconds() }),
  },
  {
    what: 'an ID token of Keycloak',
    check: 'not an access token',
    change: (claims) => ({ ...claims, typ: 'ID' }),
  },
  {
    what: 'a refresh token of Keycloak',
    check: 'not an access token',
    change: (claims) => ({ ...claims, typ: 'Refresh' }),
  },
  {
    what: 'an ID token of Cognito',
    check: 'not an access token',
    change: (claims) => ({ ...claims, token_use: 'id' }),
  },
  { what: 'the type of ID tokens', check: 'not an access token', header: { typ: 'id_token+jwt' } },
  { what: 'the type of logout tokens', check: 'not an access token', header: { typ: 'logout+jwt' } },
  {
    what: 'the events of a logout token',
    check: 'not an access token',
    change: (claims) => ({ ...claims, events: {} }),
  },
  {
    what: 'the kind of an ID token, where an audience of its own is set',
    check: 'not an access token',
    change: (claims) => ({ ...claims, aud: 'api', typ: 'ID' }),
    settings: { OIDC_AUDIENCE: 'api' },
  },
]

describe('a JWT is refused with', () => {
  test.each(jwts)('$what: $check', ({ check, change, header, forge, settings }) =>
    there.on(async () => {
      const person = await newUser()
      const claims = (await change?.(there.claimsFor(person), person)) ?? there.claimsFor(person)
      const good = await there.sign(claims, header)
      expect(await checkOf((await forge?.(claims, good)) ?? good)).toMatchObject({
        check,
        requestId: expect.any(String),
      })
    }, settings),
  )
})

const opaque: { what: string; check: TokenCheck; said: Record<string, unknown> }[] = [
  { what: 'that was revoked', check: 'inactive at introspection', said: { active: false } },
  { what: 'for another audience', check: 'audience', said: { aud: 'another' } },
  { what: 'for other audiences', check: 'audience', said: { aud: ['another', 'one more'] } },
  { what: 'that was given to another client', check: 'audience', said: { client_id: 'another' } },
  { what: 'of another issuer', check: 'issuer', said: { iss: 'http://127.0.0.1:1' } },
  { what: 'that has run out', check: 'expired', said: { exp: 1 } },
  { what: 'that is not good yet', check: 'not yet valid', said: { nbf: nowInSeconds() + 600 } },
  {
    what: 'that was issued in the future',
    check: 'issued in the future',
    said: { iat: nowInSeconds() + 600 },
  },
  { what: 'that is bound to a key', check: 'bound to a key', said: { cnf: { jkt: 'x' } } },
  { what: 'of another type', check: 'not an access token', said: { token_type: 'DPoP' } },
  { what: 'that is a refresh token, by its kind', check: 'not an access token', said: { typ: 'Refresh' } },
  {
    what: 'of another subject than the userinfo',
    check: 'no claim names the user',
    said: { sub: 'another' },
  },
]

describe('an opaque token is refused', () => {
  test.each(opaque)('$what: $check', ({ check, said }) =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      const { accessToken } = await expectStatus(200, browser.send('/api/session/tokens'))
      there.alter('/token/introspection', (answer) => ({ ...answer, ...said }))
      const found = await checkOf(accessToken)
      // The answer is remembered, and so is why.
      const again = await checkOf(accessToken)
      there.alter('/token/introspection', (answer) => answer)
      expect([found.check, again.check]).toEqual([check, check])
    }),
  )

  test('where the provider offers no introspection', async () => {
    const without = await newProvider()
    without.alter(
      '/.well-known/openid-configuration',
      ({ introspection_endpoint: _, ...metadata }) => metadata,
    )
    await without.on(async () => expect((await checkOf('x'.repeat(43))).check).toBe('no introspection'))
    await without.goDown()
  })
})

test('each check that the log can name is looked at here', () => {
  const looked = new Set([...jwts, ...opaque].map(({ check }) => check).concat('no introspection'))
  expect([...looked].sort()).toEqual([...tokenChecks].sort())
})

/** Access tokens whose audience is the client, as providers make them: the features that distinguish them from ID tokens. */
describe('an access token is accepted', () => {
  test.each<{ what: string; claims?: JWTPayload; header?: Record<string, unknown> }>([
    { what: 'of the type of RFC 9068', header: { typ: 'at+jwt' }, claims: { nonce: 'x' } },
    { what: 'of that type in full', header: { typ: 'application/at+jwt' } },
    {
      what: 'of Keycloak',
      header: { typ: 'JWT' },
      claims: { typ: 'Bearer', azp: 'console', nonce: 'x', sid: 'x' },
    },
    { what: 'of Cognito', claims: { token_use: 'access', client_id: 'console' } },
    {
      what: 'of Entra ID',
      header: { typ: 'JWT' },
      claims: { scp: 'access_as_user', azp: 'console', ver: '2.0' },
    },
    { what: 'of Okta', claims: { scp: ['openid'], cid: 'console', ver: 1 } },
    { what: 'of Auth0', header: { typ: 'JWT' }, claims: { scope: 'openid profile', azp: 'console' } },
  ])('$what', ({ claims, header }) =>
    there.on(async () => {
      const person = await newUser()
      const token = await there.sign({ ...drop('scope')(there.claimsFor(person)), ...claims }, header)
      expect(await expectStatus(200, loginWithBearer(token))).toMatchObject({ nick: person.nick })
    }),
  )

  test('without a type, where it is for an audience of its own', () =>
    there.on(
      async () => {
        const person = await newUser()
        const token = await there.sign({ ...drop('scope')(there.claimsFor(person)), aud: 'api' })
        expect(await expectStatus(200, loginWithBearer(token))).toMatchObject({ nick: person.nick })
      },
      { OIDC_AUDIENCE: 'api' },
    ))
})

test('the ID token that the provider itself gave opens nothing', () =>
  there.on(async () => {
    let idToken = ''
    there.alter('/token', (answer) => {
      idToken = String(answer.id_token)
      return answer
    })
    await signInThere(await there.newPerson())
    there.alter('/token', (answer) => answer)
    expect((await checkOf(idToken)).check).toBe('not an access token')
  }))
