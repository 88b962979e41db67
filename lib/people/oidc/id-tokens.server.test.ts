import { decodeJwt, exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { log } from '#lib/ground/log.server'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { expectStatus } from '#lib/tools/testing/client'
import { nowInSeconds, providerOfFile, signInThere } from '#lib/tools/testing/oidc'
import { newKey } from '#lib/tools/testing/oidc-provider'

const there = await providerOfFile()

afterEach(() => {
  there.alter('/token', (answer) => answer)
})

/** Signs in while the ID token of the provider is changed on its way. Gives the problem, if any. */
const signInWith = (change: (claims: JWTPayload, token: string) => Promise<string>): Promise<string | null> =>
  there.on(async () => {
    there.alter('/token', async (answer) => {
      const token = String(answer.id_token)
      return { ...answer, id_token: await change(decodeJwt(token), token) }
    })
    const { browser, url } = await signInThere(await there.newPerson())
    const problem = url.searchParams.get('problem')
    await expectStatus(problem === null ? 200 : 204, browser.send('/api/session'))
    return problem
  })

const changed = (claims: JWTPayload) => signInWith((said) => there.sign({ ...said, ...claims }))

test('an ID token as the provider gave it, and the same signed again', async () => {
  expect(await signInWith(async (_claims, token) => token)).toBeNull()
  expect(await changed({})).toBeNull()
})

describe('an ID token that the provider signed is refused', () => {
  test('for another nonce', async () => expect(await changed({ nonce: 'x' })).toBe('invalid'))
  test('without a nonce', async () => expect(await changed({ nonce: undefined })).toBe('invalid'))
  test('of another issuer', async () => expect(await changed({ iss: 'http://127.0.0.1:1' })).toBe('invalid'))
  test('for another audience', async () => expect(await changed({ aud: 'another' })).toBe('invalid'))
  test('for several audiences, given to another', async () =>
    expect(await changed({ aud: ['console', 'another'], azp: 'another' })).toBe('invalid'))
  test('that has run out', async () =>
    expect(await changed({ iat: nowInSeconds() - 600, exp: nowInSeconds() - 61 })).toBe('invalid'))
  test('that never runs out', async () => expect(await changed({ exp: undefined })).toBe('invalid'))
  test('that was issued in the future', async () =>
    expect(await changed({ iat: nowInSeconds() + 65, exp: nowInSeconds() + 600 })).toBe('invalid'))
  test('without a subject', async () => expect(await changed({ sub: undefined })).toBe('invalid'))
})

test('an ID token that has run out by less than the clocks may differ is accepted', async () =>
  expect(await changed({ iat: nowInSeconds() - 600, exp: nowInSeconds() - 55 })).toBeNull())

test('the log has the reason for a failed sign-in, and no token, code or secret', async () => {
  const lines: unknown[] = []
  const warn = vi.spyOn(log(), 'warn').mockImplementation((...line: unknown[]) => lines.push(line))
  const secrets: unknown[] = [there.settings.OIDC_CLIENT_SECRET]
  const forge = (change: JWTPayload) => async (claims: JWTPayload) => {
    const token = await there.sign({ ...claims, ...change })
    secrets.push(token, claims.nonce, ...token.split('.'))
    return token
  }
  await signInWith(forge({ nonce: 'x' }))
  await signInWith(forge({ aud: 'another' }))
  await signInWith(async () => 'no token at all')
  await there.on(async () => {
    const browser = newBrowser()
    const state = await stateOf(browser)
    const code = 'a-code-that-nobody-gave'
    secrets.push(state, code)
    await browser.open(`/api/auth/oidc/callback?${new URLSearchParams({ state, code, iss: there.issuer })}`)
  })
  warn.mockRestore()
  expect(lines).toHaveLength(4)
  const logged = JSON.stringify(lines)
  expect(logged).toContain('unexpected JWT claim value encountered')
  expect(logged).toContain('invalid_grant')
  for (const secret of secrets) expect(logged).not.toContain(secret)
})

const stateOf = async (browser: Browser): Promise<string> => {
  const response = await browser.send('/api/auth/oidc/login')
  return new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
}

describe('an ID token that the provider did not sign is refused', () => {
  test('alg=none', async () =>
    expect(await signInWith(async (claims) => new UnsecuredJWT(claims).encode())).toBe('invalid'))

  test('HS256 with the public key as the secret', async () => {
    const { kid, jwk } = there.key()
    const publicKey = await importJWK({ kty: jwk.kty, n: jwk.n, e: jwk.e }, 'RS256', { extractable: true })
    const pem = new TextEncoder().encode(await exportSPKI(publicKey as CryptoKey))
    const forge = (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(pem)
    expect(await signInWith(forge)).toBe('invalid')
  })

  test('HS256 with the secret of the client', async () => {
    const secret = new TextEncoder().encode(there.settings.OIDC_CLIENT_SECRET)
    const forge = (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    expect(await signInWith(forge)).toBe('invalid')
  })

  test('with another key under the same name, or with one of its own in the header', async () => {
    const { privateKey, jwk } = await newKey()
    const { kid } = there.key()
    const forge = (header: object) => (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)
    expect(await signInWith(forge({ kid }))).toBe('invalid')
    expect(await signInWith(forge({ kid: 'unknown' }))).toBe('invalid')
    const own = { kty: jwk.kty, n: jwk.n, e: jwk.e }
    expect(await signInWith(forge({ jwk: own }))).toBe('invalid')
    expect(await signInWith(forge({ jku: 'http://127.0.0.1:1/jwks' }))).toBe('invalid')
  })

  test('changed after it was signed, or without its signature', async () => {
    const part = (claims: JWTPayload) => Buffer.from(JSON.stringify(claims)).toString('base64url')
    const forge = async (claims: JWTPayload, token: string) => {
      const [header, , signature] = token.split('.')
      return [header, part({ ...claims, preferred_username: 'admin' }), signature].join('.')
    }
    expect(await signInWith(forge)).toBe('invalid')
    expect(await signInWith(async (_claims, token) => token.replace(/[^.]+$/, ''))).toBe('invalid')
  })
})

test('after the provider changed its keys the next sign-in is good, and the old key is no more', async () => {
  const old = there.key()
  expect(await signInWith(async (_claims, token) => token)).toBeNull()
  await there.rotateKeys()
  expect(await signInWith(async (_claims, token) => token)).toBeNull()
  const forge = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: old.kid }).sign(old.privateKey)
  expect(await signInWith(forge)).toBe('invalid')
})
