import { afterEach, describe, expect, test, vi } from 'vitest'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { transaction } from '#lib/db/db.server'
import { resetTwoFactor } from '#lib/people/identity/recovery.server'
import { call, codesOf, expectStatus, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import {
  type Authenticator,
  newAuthenticator,
  newPasskey,
  optionsFor,
  signedInBrowser,
  signInWith,
} from '#lib/tools/testing/passkeys'
import { refusal } from '#lib/tools/testing/refusal'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

afterEach(() => {
  vi.useRealTimers()
})

const by = (headers: Record<string, string>, method: string, path: string, body?: unknown) =>
  call(method, path, { as: null, headers, body })

const PASSKEYS = '/api/session/passkeys'
const OPTIONS = `${PASSKEYS}/action/options`

const eventsOf = async (user: { id: number }, action: string) => {
  const { collection } = await expectStatus(
    200,
    call('GET', `/api/events?entity=user&entityid=${user.id}&limit=0`),
  )
  return collection.filter((event: { action: string }) => event.action === action)
}

describe('one’s own passkeys', () => {
  test('are added, listed, renamed and removed in the console, with events', async () => {
    const user = await newUser({ privileges: [] })
    const { browser, id, name } = await newPasskey(user)
    const { collection } = await expectStatus(200, by(browser, 'GET', PASSKEYS))
    expect(collection).toEqual([
      { links: [expect.objectContaining({ rel: 'self' })], id, name, created: expect.any(String) },
    ])
    const renamed = await expectStatus(200, by(browser, 'PUT', `${PASSKEYS}/${id}`, { name: 'Telephone' }))
    expect(renamed).toMatchObject({ id, name: 'Telephone' })
    await expectStatus(204, by(browser, 'DELETE', `${PASSKEYS}/${id}`))
    expect((await expectStatus(200, by(browser, 'GET', PASSKEYS))).collection).toEqual([])
    expect(await refusal(by(browser, 'DELETE', `${PASSKEYS}/${id}`))).toEqual([404, 'PASSKEY-0'])
    for (const [action, changes] of [
      ['add-passkey', { after: name }],
      ['rename-passkey', { before: name, after: 'Telephone' }],
      ['remove-passkey', { before: 'Telephone' }],
    ] as const)
      expect(await eventsOf(user, action)).toMatchObject([{ changes: { passkey: changes } }])
  })

  test('are announced by mail', async () => {
    await withMailbox(async ({ of }) => {
      const email = newAddress()
      await newPasskey(await newUser({ privileges: [], email }), {}, 'Key ring')
      const [mail] = await of(email)
      expect(mail?.text).toContain('Key ring')
    })
  })

  test('are hidden from other users', async () => {
    const { id } = await newPasskey(await newUser())
    const { browser } = await newPasskey(await newUser())
    expect(await refusal(by(browser, 'DELETE', `${PASSKEYS}/${id}`))).toEqual([404, 'PASSKEY-0'])
    expect(await refusal(by(browser, 'PUT', `${PASSKEYS}/${id}`, { name: 'Mine' }))).toEqual([
      404,
      'PASSKEY-0',
    ])
  })

  test('belong to the console alone', async () => {
    const user = await newUser()
    const { id } = await newPasskey(user)
    const token = tokenOf(await call('GET', '/api/login', { as: user }))
    expect((await by({ authorization: `Token ${token}` }, 'GET', PASSKEYS)).status).toBe(403)
    for (const [method, path, body] of [
      ['GET', PASSKEYS, undefined],
      ['POST', OPTIONS, {}],
      ['PUT', `${PASSKEYS}/${id}`, { name: 'Mine' }],
      ['DELETE', `${PASSKEYS}/${id}`, undefined],
    ] as const)
      expect((await call(method, path, { as: user, body })).status).toBe(403)
  })

  test('need a proof of identity in a session that began 16 minutes ago', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const user = await newUser({ privileges: [] })
    const { browser, id, authenticator } = await newPasskey(user)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    for (const [method, path, body] of [
      ['POST', OPTIONS, {}],
      ['POST', PASSKEYS, { name: 'Mine', response: authenticator.attest({ challenge: 'A' }) }],
      ['PUT', `${PASSKEYS}/${id}`, { name: 'Mine' }],
      ['DELETE', `${PASSKEYS}/${id}`, undefined],
    ] as const)
      expect(await refusal(by(browser, method, path, body))).toEqual([403, 'SIGN-IN-6'])
    const right = { name: 'Mine', oldPassword: user.password }
    await expectStatus(200, by(browser, 'PUT', `${PASSKEYS}/${id}`, right))
  })

  test('have names of their own, and a key is registered once', async () => {
    const user = await newUser({ privileges: [] })
    const { browser, authenticator, name } = await newPasskey(user)
    const options = await expectStatus(200, by(browser, 'POST', OPTIONS, {}))
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.id, type: 'public-key' }])
    const other = newAuthenticator().attest(options)
    expect(await refusal(by(browser, 'POST', PASSKEYS, { name, response: other }))).toEqual([
      409,
      'PASSKEY-1',
    ])
    // The refusal did not use up the challenge.
    await expectStatus(201, by(browser, 'POST', PASSKEYS, { name: 'Other', response: other }))
    const again = await expectStatus(200, by(browser, 'POST', OPTIONS, {}))
    const response = authenticator.attest(again)
    expect(await refusal(by(browser, 'POST', PASSKEYS, { name: 'Twice', response }))).toEqual([
      409,
      'PASSKEY-3',
    ])
  })

  test.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another RP id', { rpId: 'evil.test' }],
    ['no challenge of ours', { challenge: 'AAAA' }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['a backup of what cannot be backed up', { backup: 'backed up though not eligible' }],
  ] as const)('cannot be added by an answer with %s', async (_what, choices) => {
    const browser = await signedInBrowser(await newUser({ privileges: [] }))
    const options = await expectStatus(200, by(browser, 'POST', OPTIONS, {}))
    const response = newAuthenticator().attest(options, choices)
    expect(await refusal(by(browser, 'POST', PASSKEYS, { name: 'Bad', response }))).toEqual([
      400,
      'PASSKEY-2',
    ])
  })

  test('cannot be added by the answer to another session, or to a sign-in, or a second time', async () => {
    const user = await newUser({ privileges: [] })
    const browser = await signedInBrowser(user)
    const others = await expectStatus(200, by(await signedInBrowser(user), 'POST', OPTIONS, {}))
    const { options: ofSignIn } = await optionsFor()
    const own = await expectStatus(200, by(browser, 'POST', OPTIONS, {}))
    await expectStatus(
      201,
      by(browser, 'POST', PASSKEYS, { name: 'First', response: newAuthenticator().attest(own) }),
    )
    for (const options of [others, ofSignIn, own]) {
      const response = newAuthenticator().attest(options)
      expect(await refusal(by(browser, 'POST', PASSKEYS, { name: unique('P'), response }))).toEqual([
        400,
        'PASSKEY-2',
      ])
    }
  })
})

describe('signing in with a passkey', () => {
  test('alone replaces password and code', async () => {
    const user = await newUser({ privileges: [] })
    const { browser, authenticator } = await newPasskey(user)
    const answer = await signInWith(authenticator)
    expect(await expectStatus(200, answer.clone())).toMatchObject({ id: user.id, nick: user.nick })
    const cookie = pairOf(cookiesOf(answer).console)
    expect(await expectStatus(200, by({ cookie }, 'GET', '/api/session'))).toMatchObject({ id: user.id })
    expect(answer.headers.get('x-service-token')).toBeNull()
    const { collection } = await expectStatus(200, by(browser, 'GET', PASSKEYS))
    expect(collection[0].lastUsed).toEqual(expect.any(String))
    const events = await eventsOf(user, 'sign-in')
    expect(events).toContainEqual(expect.objectContaining({ changes: { factors: { after: 'passkey' } } }))
  })

  test('beside the password replaces the code, verified or not; programs still need the code', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator, browser } = await newPasskey(user)
    const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
    const { authenticatorURL } = await expectStatus(
      201,
      by(browser, 'POST', path, { type: 'APP_AUTHENTICATOR' }),
    )
    await expectStatus(
      204,
      by(browser, 'POST', '/api/session/code', { code: codeOf(secretOf(authenticatorURL)) }),
    )
    const { nick, password } = user
    expect(await codesOf(call('POST', '/api/session', { as: null, body: { nick, password } }))).toEqual([
      'SIGN-IN-1',
    ])
    await expectStatus(200, signInWith(authenticator, { beside: user, choices: { userVerified: false } }))
    await expectStatus(200, signInWith(authenticator))
    expect((await call('GET', '/api/login', { as: user })).status).toBe(401)
    const wrong = await signInWith(newAuthenticator(), { beside: user })
    expect(wrong.headers.get('x-service-otp')).toBe('required; type=APP_AUTHENTICATOR')
    expect(await codesOf(wrong)).toEqual(['SIGN-IN-9'])
  })

  test('does not replace the enrolment that an enterprise requires', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user)
    await transaction((trx) =>
      trx
        .updateTable('enterprises')
        .set({ two_factor_mandatory: 1 })
        .where('id', '=', user.enterpriseId)
        .execute(),
    )
    const document = await expectStatus(200, signInWith(authenticator))
    expect(document.mustEnableTwoFactor).toBe(true)
  })

  const refused = async (authenticator: Authenticator, how: Parameters<typeof signInWith>[1] = {}) =>
    expect(await refusal(signInWith(authenticator, how))).toEqual([401, 'SIGN-IN-9'])

  test.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another port of the origin', { origin: `${ORIGIN}:8080` }],
    ['another RP id', { rpId: 'evil.test' }],
    ['no challenge of ours', { challenge: 'AAAA' }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['the same counter', { counter: 7 }],
    ['a counter that goes back', { counter: 6 }],
    ['another backup eligibility', { counter: 8, backup: 'eligible' }],
    ['a backup of what cannot be backed up', { counter: 8, backup: 'backed up though not eligible' }],
    ['the handle of another user', { counter: 8, userHandle: 'dXNlciAx' }],
    ['no user handle', { counter: 8, userHandle: null }],
  ] as const)('refuses an answer with %s', async (_what, choices) => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user, { counter: 7 })
    await refused(authenticator, { choices: { counter: 8, ...choices } })
    expect(await eventsOf(user, 'sign-in-refused')).toMatchObject([
      { changes: { reason: { after: 'passkey' } } },
    ])
    await expectStatus(200, signInWith(authenticator, { choices: { counter: 8 } }))
  })

  test('refuses an answered challenge, another browser, and late answers', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { authenticator } = await newPasskey(await newUser({ privileges: [] }))
    const { options, cookie } = await optionsFor()
    const passkey = authenticator.assert(options)
    const send = (headers: Record<string, string>) => by(headers, 'POST', '/api/session', { passkey })
    expect(await refusal(send({}))).toEqual([401, 'SIGN-IN-9'])
    expect(await refusal(send({ cookie: (await optionsFor()).cookie }))).toEqual([401, 'SIGN-IN-9'])
    await expectStatus(200, send({ cookie }))
    expect(await refusal(send({ cookie }))).toEqual([401, 'SIGN-IN-9'])
    const late = await optionsFor()
    vi.setSystemTime(Date.now() + 11 * 60_000)
    const tooLate = authenticator.assert(late.options)
    expect(await refusal(by({ cookie: late.cookie }, 'POST', '/api/session', { passkey: tooLate }))).toEqual([
      401,
      'SIGN-IN-9',
    ])
  })

  test('refuses one that is unknown, removed, or whose signature is another’s', async () => {
    const { authenticator, browser, id } = await newPasskey(await newUser({ privileges: [] }))
    await refused(newAuthenticator())
    const { options, cookie } = await optionsFor()
    const forged = { ...newAuthenticator().assert(options), id: authenticator.id, rawId: authenticator.id }
    expect(await refusal(by({ cookie }, 'POST', '/api/session', { passkey: forged }))).toEqual([
      401,
      'SIGN-IN-9',
    ])
    await expectStatus(204, by(browser, 'DELETE', `${PASSKEYS}/${id}`))
    await refused(authenticator)
  })

  test('refuses another user’s passkey beside a password', async () => {
    const { authenticator } = await newPasskey(await newUser({ privileges: [] }))
    await refused(authenticator, { beside: await newUser({ privileges: [] }) })
  })

  const put = async (user: { id: number }, change: object) => {
    const path = `/api/admin/enterprises/_/users/${user.id}`
    const { links: _links, ...document } = await expectStatus(200, call('GET', path))
    const links = _links.filter(({ rel }: { rel: string }) => ['role', 'scope', 'enterprise'].includes(rel))
    await expectStatus(200, call('PUT', path, { body: { ...document, links, ...change } }))
  }

  test('refuses a locked user until they are unlocked, and a deleted or disabled one for good', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user)
    await put(user, { locked: true })
    await refused(authenticator)
    await put(user, { locked: false })
    await expectStatus(200, signInWith(authenticator))
    await put(user, { active: false })
    await put(user, { active: true })
    await refused(authenticator)
    const deleted = await newUser({ privileges: [] })
    const { authenticator: gone } = await newPasskey(deleted)
    await expectStatus(204, call('DELETE', `/api/admin/enterprises/_/users/${deleted.id}`))
    await refused(gone)
  })

  test('refuses a user from outside their networks', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user)
    await changeUser(user, { allowed_cidrs: '["203.0.113.0/24"]' })
    await refused(authenticator)
    expect(await eventsOf(user, 'sign-in-refused')).toMatchObject([
      { changes: { reason: { after: 'address' } } },
    ])
  })

  test('ends when the command resets two factor', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user)
    await resetTwoFactor(user.nick)
    await refused(authenticator)
  })

  test('counts failures like wrong codes', async () => {
    const { authenticator } = await newPasskey(await newUser({ privileges: [] }))
    for (let failures = 0; failures < 5; failures += 1)
      await refused(authenticator, { choices: { userVerified: false } })
    expect((await signInWith(authenticator)).status).toBe(429)
  })

  test('leaves the duty to replace a password that an administrator chose', async () => {
    const user = await newUser({ privileges: [] })
    const { authenticator } = await newPasskey(user)
    await transaction((trx) => setCredentials(trx, user.id, { first_login: 1 }))
    expect(await expectStatus(200, signInWith(authenticator))).toMatchObject({ mustChangePassword: true })
  })
})

describe('the options to use a passkey', () => {
  test('are the same for any nick, with a challenge of their own', async () => {
    const user = await newUser({ privileges: [] })
    await newPasskey(user)
    const shape = {
      links: [],
      challenge: expect.stringMatching(/^[\w-]{72}$/),
      timeout: 600_000,
      rpId: 'console.localhost',
    }
    const known = (await optionsFor(user.nick)).options
    const unknown = (await optionsFor('nobody')).options
    for (const options of [known, unknown])
      expect(options).toEqual({ ...shape, userVerification: 'preferred' })
    const { options } = await optionsFor()
    expect(options).toEqual({ ...shape, userVerification: 'required' })
    expect(new Set([known, unknown, options].map(({ challenge }) => challenge)).size).toBe(3)
  })

  test('are refused, with all else, at an IP address and with OpenID Connect or SAML on', async () => {
    const { browser, authenticator } = await newPasskey(await newUser({ privileges: [] }))
    for (const settings of [
      { OIDC_ISSUER: 'https://op.test' },
      { SAML_ENTRY_POINT: 'https://idp.test', SAML_ALLOW_BASIC: true },
      { BASE_URL: 'https://192.0.2.1:8443' },
      { BASE_URL: 'https://[2001:db8::1]' },
    ])
      await withSettings(settings, async () => {
        expect(await expectStatus(200, call('GET', '/api/session/ways', { as: null }))).toMatchObject({
          passkey: false,
        })
        expect(await codesOf(call('POST', '/api/session/passkey/options', { as: null, body: {} }))).toEqual([
          'PASSKEY-4',
        ])
      })
    await withSettings({ SAML_ENTRY_POINT: 'https://idp.test', SAML_ALLOW_BASIC: true }, async () => {
      const { options } = { options: { challenge: 'AAAA', rpId: 'console.localhost' } }
      const passkey = authenticator.assert(options)
      expect(await codesOf(call('POST', '/api/session', { as: null, body: { passkey } }))).toEqual([
        'PASSKEY-4',
      ])
      expect(await codesOf(by(browser, 'GET', PASSKEYS))).toEqual(['PASSKEY-4'])
    })
    const ways = await expectStatus(200, call('GET', '/api/session/ways', { as: null }))
    expect(ways).toMatchObject({ passkey: true })
  })
})

describe('the site of a passkey', () => {
  const OTHER = { BASE_URL: 'http://other.localhost' }

  test('a passkey of another RP id is neither offered nor accepted, even if its answer is right', async () => {
    const user = await newUser({ privileges: [] })
    const { browser, authenticator } = await newPasskey(user)
    const excluded = async () =>
      (await expectStatus(200, by({ cookie: browser.cookie }, 'POST', OPTIONS, {}))).excludeCredentials
    expect(await excluded()).toHaveLength(1)
    const choices = { origin: OTHER.BASE_URL }
    await withSettings(OTHER, async () => {
      expect(await excluded()).toEqual([])
      expect((await signInWith(authenticator, { choices })).status).toBe(401)
    })
    await expectStatus(200, signInWith(authenticator))
    // A passkey from earlier versions has no RP id: its first use reveals it.
    const forget = () =>
      transaction((trx) =>
        trx.updateTable('passkeys').set({ rp_id: null }).where('user_id', '=', user.id).execute(),
      )
    await forget()
    await withSettings(OTHER, async () =>
      expect((await signInWith(authenticator, { choices })).status).toBe(200),
    )
    await expectStatus(401, signInWith(authenticator))
  })

  test('are absent under a Host that is neither BASE_URL nor loopback', async () => {
    const waysAt = (headers: Record<string, string>, from?: string) =>
      expectStatus(200, call('GET', '/api/session/ways', { as: null, headers, from }))
    expect(await waysAt({ host: 'rebound.example' })).toMatchObject({ passkey: false })
    const asked = call('POST', '/api/session/passkey/options', {
      as: null,
      headers: { host: 'rebound.example' },
      body: {},
    })
    expect(await refusal(asked)).toEqual([403, 'PASSKEY-4'])
    await withSettings({ BASE_URL: 'https://console.example', TRUST_PROXY: ['192.0.2.1'] }, async () => {
      const forwarded = { host: 'inner', 'x-forwarded-host': 'console.example' }
      expect(await waysAt({ host: 'console.example' })).toMatchObject({ passkey: true })
      expect(await waysAt(forwarded, '192.0.2.1')).toMatchObject({ passkey: true })
      expect(await waysAt(forwarded, '192.0.2.2')).toMatchObject({ passkey: false })
    })
  })
})

describe('a proof of identity by a passkey', () => {
  async function proofIn(user: User, choices: object = {}) {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { browser, authenticator, id } = await newPasskey(user)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const { options, cookie } = await optionsFor()
    const headers = { ...browser, cookie: `${browser.cookie}; ${cookie}` }
    const passkey = authenticator.assert(options, choices)
    return { headers, id, proved: by(headers, 'POST', '/api/session/proof', { passkey }) }
  }

  test('is remembered', async () => {
    const { headers, id, proved } = await proofIn(await newUser({ privileges: [] }))
    await expectStatus(204, proved)
    await expectStatus(204, by(headers, 'DELETE', `${PASSKEYS}/${id}`))
  })

  test('needs the user’s verification, and their own passkey', async () => {
    const { proved } = await proofIn(await newUser({ privileges: [] }), { userVerified: false })
    expect(await refusal(proved)).toEqual([400, 'PASSKEY-2'])
    const { authenticator } = await newPasskey(await newUser({ privileges: [] }))
    const other = await signedInBrowser(await newUser({ privileges: [] }))
    const { options, cookie } = await optionsFor()
    const headers = { ...other, cookie: `${other.cookie}; ${cookie}` }
    const passkey = authenticator.assert(options)
    expect(await refusal(by(headers, 'POST', '/api/session/proof', { passkey }))).toEqual([400, 'PASSKEY-2'])
  })
})
