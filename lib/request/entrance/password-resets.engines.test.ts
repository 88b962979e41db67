import { afterEach, describe, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { type Mailbox, newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser, rowOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

const NEW_PASSWORD = 'quite another password'
const PATH = '/api/session/passwordreset'
const MINUTE = 60_000

const ask = (nick: string, headers: Record<string, string> = {}) =>
  call('POST', PATH, { as: null, body: { nick }, headers })

const reset = (token: string, password = NEW_PASSWORD) =>
  call('PUT', PATH, { as: null, body: { token, password } })

const login = async (as: User) => (await call('GET', '/api/login', { as })).status

/** The tokens of the links that have come for this address. */
async function tokensIn(mailbox: Mailbox, email: string): Promise<string[]> {
  await resetsMade()
  const mails = await mailbox.of(email)
  return mails.flatMap(({ text }) => /\/new-password#([\w-]+)/.exec(text ?? '')?.[1] ?? [])
}

/** A user, and the token of the link mailed to them. */
async function asked(mailbox: Mailbox) {
  const email = newAddress()
  const user = { ...(await newUser({ email, privileges: [] })), email }
  expect((await ask(user.nick)).status).toBe(204)
  const [token = ''] = await tokensIn(mailbox, email)
  return { user, token }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a forgotten password', () => {
  test('is replaced through a mailed link: every session ends, and a mail reports the change', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await asked(mailbox)
      const session = tokenOf(await call('GET', '/api/login', { as: user }))
      expect((await reset(token)).status).toBe(204)
      expect(await login(user)).toBe(401)
      expect(await login({ ...user, password: NEW_PASSWORD })).toBe(200)
      const headers = { authorization: `Token ${session}` }
      expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
      expect((await mailbox.of(user.email)).at(-1)?.subject).toBe('Your password was changed')
    }))

  test('the link works once', () =>
    withMailbox(async (mailbox) => {
      const { token } = await asked(mailbox)
      const answers = await Promise.all([reset(token), reset(token, `${NEW_PASSWORD} two`)])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
      expect(await codesOf(reset(token))).toEqual(['SIGN-IN-4'])
    }))

  test('the link works for 30 minutes', () =>
    withMailbox(async (mailbox) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { user, token } = await asked(mailbox)
      vi.setSystemTime(Date.now() + 30 * MINUTE)
      expect(await codesOf(reset(token))).toEqual(['SIGN-IN-4'])
      expect((await ask(user.nick)).status).toBe(204)
      const next = (await tokensIn(mailbox, user.email)).at(-1) ?? ''
      vi.setSystemTime(Date.now() + 30 * MINUTE - 1000)
      expect((await reset(next)).status).toBe(204)
    }))

  test('the link is refused after another password change or another request for a link', () =>
    withMailbox(async (mailbox) => {
      const first = await asked(mailbox)
      const body = { oldPassword: first.user.password, password: NEW_PASSWORD }
      expect((await call('PUT', '/api/session/password', { as: first.user, body })).status).toBe(204)
      expect(await codesOf(reset(first.token))).toEqual(['SIGN-IN-4'])

      vi.useFakeTimers({ toFake: ['Date'] })
      const { user, token } = await asked(mailbox)
      vi.setSystemTime(Date.now() + MINUTE + 1)
      await ask(user.nick)
      const [, next = ''] = await tokensIn(mailbox, user.email)
      expect(await codesOf(reset(token))).toEqual(['SIGN-IN-4'])
      expect((await reset(next)).status).toBe(204)
    }))

  test('a link is mailed at most once a minute', () =>
    withMailbox(async (mailbox) => {
      const { user } = await asked(mailbox)
      expect((await ask(user.nick)).status).toBe(204)
      expect(await tokensIn(mailbox, user.email)).toHaveLength(1)
    }))

  test('the next sign-in still requires the code of two factor', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await asked(mailbox)
      const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
      const body = { type: 'APP_AUTHENTICATOR' }
      const { authenticatorURL } = await expectStatus(201, call('POST', path, { as: user, body }))
      expect((await reset(token)).status).toBe(204)
      const as = { ...user, password: NEW_PASSWORD }
      expect(await login(as)).toBe(401)
      const headers = { 'x-service-otp': codeOf(secretOf(authenticatorURL)) }
      expect((await call('GET', '/api/login', { as, headers })).status).toBe(200)
    }))

  test.each([{ active: 0 as const }, { locked: 1 as const }, { auth_type: 'SAML' }, { email: '' }])(
    'no link is mailed for a user with %j',
    (change) =>
      withMailbox(async (mailbox) => {
        const email = newAddress()
        const user = await newUser({ email })
        await changeUser(user, change)
        expect((await ask(user.nick)).status).toBe(204)
        expect(await tokensIn(mailbox, email)).toEqual([])
      }),
  )

  test('a user locked in the meantime stays locked out', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await asked(mailbox)
      await changeUser(user, { locked: 1 })
      expect(await codesOf(reset(token))).toEqual(['SIGN-IN-4'])
    }))

  test('the new password must follow the policy, and a refused one does not use the link up', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await asked(mailbox)
      expect(await codesOf(reset(token, 'short'))).toEqual(['CONSTR-LENGTH'])
      await changeUser(user, { nick: `${user.nick}-and-more` })
      expect(await codesOf(reset(token, `${user.nick}-AND-more`))).toEqual(['CONSTR-PATTERN'])
      expect((await reset(token)).status).toBe(204)
      expect(await rowOf({ ...user, nick: `${user.nick}-and-more` })).toMatchObject({ first_login: 0 })
    }))

  test('SIGN-IN-8 without a mail server, and the console does not offer the link', async () => {
    const offered = async () =>
      (await expectStatus(200, call('GET', '/api/session/ways', { as: null }))).passwordReset
    expect(await codesOf(ask('admin'))).toEqual(['SIGN-IN-8'])
    expect(await offered()).toBe(false)
    expect(await withMailbox(offered)).toBe(true)
  })

  test('the database does not contain the token, and forms of other sites cannot request a link', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await asked(mailbox)
      const rows = await database().read.selectFrom('password_resets').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token)
      expect((await ask(user.nick, { origin: 'https://evil.example' })).status).toBe(403)
    }))
})
