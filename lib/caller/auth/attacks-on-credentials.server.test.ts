import { createHash, generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { basicOf, call, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { authorizationOf, connect, register } from '#lib/tools/testing/oauth'
import { clientOf, type Sending, type Token } from '#lib/tools/testing/oauth-client'
import { type AtProvider, newProvider } from '#lib/tools/testing/oidc'
import { cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

/*
 * Each credential has one spelling (docs/api/authentication.md, "Basic"). Most base64 decoders are lenient: a second spelling of the same bytes would pass
 * every list that knows only the first, such as the lists of revoked and of used credentials.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Other spellings of the same bytes, which a lenient decoder accepts. */
function othersOf(text: string): string[] {
  const dense = text.replace(/=+$/, '')
  const last = dense.at(-1) ?? ''
  const turned = [...alphabet].filter((character) => character !== last)
  const bytes = (each: string) => Buffer.from(each, 'base64').toString('hex')
  return [
    ...['=', '==', '===', '=A', '==A', 'A', 'AA', 'AAAA', '!', '.', '%', '\t.', '=, x', '*'].map(
      (more) => text + more,
    ),
    ...(text === dense ? [] : [dense]),
    ...turned.map((character) => dense.slice(0, -1) + character + text.slice(dense.length)),
    `${text.slice(0, 4)}!${text.slice(4)}`,
    `${text.slice(0, 4)}=${text.slice(4)}`,
    text.replaceAll('+', '-').replaceAll('/', '_'),
    text.replaceAll('-', '+').replaceAll('_', '/'),
  ].filter((other) => other !== text && (other.length !== text.length || bytes(other) === bytes(text)))
}

let user: User & { id: number }

beforeAll(async () => {
  user = await newUser()
})

type Headers = Record<string, string>

const statusOf = async (headers: Headers, method = 'GET', body?: string): Promise<number> =>
  (await call(method, method === 'GET' ? '/api/login' : '/api/admin/scopes', { as: null, headers, body }))
    .status

/** Expects that the credential is accepted, and no other spelling of its bytes. */
async function expectOneText(
  credential: string,
  headersFor: (text: string) => Headers | Promise<Headers>,
): Promise<void> {
  expect(await statusOf(await headersFor(credential))).toBe(200)
  for (const other of othersOf(credential))
    expect([other, await statusOf(await headersFor(other))]).toEqual([other, expect.toBeOneOf([400, 401])])
}

test('a token has only one accepted spelling, in its header and in both cookies', async () => {
  const token = tokenOf(await call('GET', '/api/login', { as: user }))
  await expectOneText(token, (text) => ({ authorization: `Token ${text}` }))
  for (const name of ['auth', 'session'])
    await expectOneText(token, (text) => ({ cookie: `${name}=${text}` }))
})

test('Basic credentials have only one accepted spelling', async () => {
  // Wrong passwords are counted, so each spelling is sent for a user of its own.
  for (const more of ['=', '==', 'A', 'AA', '!', '=A', '.']) {
    const authorization = basicOf(await newUser())
    expect(await statusOf({ authorization })).toBe(200)
    expect([more, await statusOf({ authorization: authorization + more })]).toEqual([more, 401])
  }
})

test('the cookie of the console has only one accepted spelling', async () => {
  const { nick, password } = user
  const response = await call('POST', '/api/session', { as: null, body: { nick, password } })
  const [name = '', ...value] = pairOf(cookiesOf(response).console).split('=')
  await expectOneText(value.join('='), (text) => ({ cookie: `${name}=${text}` }))
})

const SIGNATURE = /oauth_signature="([^"]*)"/

/** Signs each request again, because a nonce is valid once. */
async function expectOneSignature(sign: () => string): Promise<void> {
  expect(await statusOf({ authorization: sign() })).toBe(200)
  const signatureIn = (authorization: string) => decodeURIComponent(SIGNATURE.exec(authorization)?.[1] ?? '')
  for (let index = 0; index < othersOf(signatureIn(sign())).length; index += 1) {
    const authorization = sign()
    const other = othersOf(signatureIn(authorization))[index]
    if (other === undefined) continue
    const altered = authorization.replace(SIGNATURE, `oauth_signature="${encodeURIComponent(other)}"`)
    expect([other, await statusOf({ authorization: altered })]).toEqual([other, expect.toBeOneOf([400, 401])])
  }
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test.each(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'RSA-SHA256'] as const)(
  'a signature of OAuth by %s has one text',
  async (method) => {
    const person = await newUser()
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const application = await register(person, method.startsWith('RSA') ? { publicKey: pem } : {})
    const client = clientOf(application, { method, ...(method.startsWith('RSA') && { privateKey }) })
    const token: Token = await connect(application, person, client)
    await expectOneSignature(() => authorizationOf(application, 'GET', '/api/login', { token, client }))
  },
)

test('a PLAINTEXT signature of OAuth has only one accepted spelling', async () => {
  const person = await newUser()
  const application = await register(person)
  const client = clientOf(application, { method: 'PLAINTEXT' })
  await withSettings({ BASE_URL: ORIGIN.replace('http:', 'https:') }, async () => {
    const token = await connect(application, person, client)
    const sign = () => authorizationOf(application, 'GET', '/api/login', { token, client })
    expect(await statusOf({ authorization: sign() })).toBe(200)
    const right = decodeURIComponent(SIGNATURE.exec(sign())?.[1] ?? '')
    const others = [
      ...['=', '&', ' ', '\0', 'A', '%', '\u{fffd}'].map((more) => right + more),
      ...[right.toLowerCase(), right.replaceAll(/%../g, (code) => code.toLowerCase()), ` ${right}`],
      ...[decodeURIComponent(right), right.replace('&', '%26'), right.split('&')[0] ?? ''],
    ].filter((other) => other !== right)
    for (const other of others) {
      const authorization = sign().replace(SIGNATURE, () => `oauth_signature="${encodeURIComponent(other)}"`)
      expect([other, await statusOf({ authorization })]).toEqual([other, expect.toBeOneOf([400, 401])])
    }
  })
})

test('the token of a password link has only one accepted spelling', () =>
  withMailbox(async (mailbox) => {
    const email = newAddress()
    const { nick } = await newUser({ email })
    const path = '/api/session/passwordreset'
    expect((await call('POST', path, { as: null, body: { nick } })).status).toBe(204)
    await resetsMade()
    const [mail] = await mailbox.of(email)
    const token = /\/new-password#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const reset = async (text: string) =>
      (await call('PUT', path, { as: null, body: { token: text, password: 'Harbour-lamp-4711' } })).status
    for (const other of othersOf(token))
      expect([other, await reset(other)]).toEqual([other, expect.toBeOneOf([400, 409])])
    expect(await reset(token)).toBe(204)
  }))

test('the hash of a body has only one accepted spelling', async () => {
  const person = await newUser()
  const application = await register(person)
  const token = await connect(application, person)
  const body = JSON.stringify({ links: [] })
  const sign = (hash: string) =>
    authorizationOf(application, 'POST', '/api/admin/scopes', {
      token,
      data: { oauth_body_hash: hash },
    } satisfies Sending)
  const right = createHash('sha1').update(body).digest('base64')
  const ask = (hash: string) =>
    statusOf({ authorization: sign(hash), 'content-type': 'application/json' }, 'POST', body)
  expect(await ask(right)).toBe(400)
  for (const other of othersOf(right)) expect([other, await ask(other)]).toEqual([other, 401])
})

test('an access token of the OpenID Connect provider has only one accepted spelling', async () => {
  const there: AtProvider = await newProvider()
  await there.on(async () => {
    const exp = Math.floor(Date.now() / 1000) + 60
    const claims = { iss: there.issuer, aud: 'console', sub: 'x', preferred_username: user.nick, exp }
    const token = await there.sign(claims, { typ: 'at+jwt' })
    await expectOneText(token, (text) => ({ authorization: `Bearer ${text}` }))
  })
  await there.goDown()
})
