import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, codesOf, expectStatus, newUser } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

const STEP = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Math.floor(Date.now() / STEP) * STEP + 10_000)
})

afterEach(() => {
  vi.useRealTimers()
})

type Person = Awaited<ReturnType<typeof newUser>>

const signIn = async ({ nick, password }: Person, code?: string) => {
  const response = await call('POST', '/api/session', { as: null, body: { nick, password, code } })
  expect(response.status).toBe(200)
  return { as: null, headers: { cookie: pairOf(cookiesOf(response).console) } }
}

const actionOf = ({ id }: Person, action: string) => `/api/admin/enterprises/_/users/${id}/action/${action}`

async function newEnrolment() {
  const user = await newUser({ email: newAddress() })
  const session = await signIn(user)
  const enable = () =>
    call('POST', actionOf(user, 'enable2fa'), { ...session, body: { type: 'APP_AUTHENTICATOR' } })
  const credentials = await expectStatus(201, enable())
  return { user, session, secret: secretOf(credentials.authenticatorURL), credentials, enable }
}

type Session = Awaited<ReturnType<typeof signIn>>

const undo = (session: Session) => call('DELETE', '/api/session/enrolment', session)
const stateOf = (session: Session) => expectStatus(200, call('GET', '/api/session', session))

describe('an unverified enrolment', () => {
  test('can be undone by the session that began it, and begun again', async () => {
    const { session, enable } = await newEnrolment()
    expect(await stateOf(session)).toMatchObject({
      canTakeBack: true,
      twoFactorProvider: 'APP_AUTHENTICATOR',
    })
    expect((await undo(session)).status).toBe(204)
    const after = await stateOf(session)
    expect(after).toMatchObject({ canTakeBack: false, scratchCodesLeft: 0 })
    expect(after).not.toHaveProperty('twoFactorProvider')
    expect(await codesOf(undo(session))).toEqual(['2FA-7'])
    expect((await enable()).status).toBe(201)
  })

  test('2FA-11: cannot be undone by another session of the same user', async () => {
    const { user, credentials, session } = await newEnrolment()
    const other = await signIn(user, credentials.scratchCodes[0])
    expect(await stateOf(other)).toMatchObject({ canTakeBack: false })
    expect(await codesOf(undo(other))).toEqual(['2FA-11'])
    // The sign-in with a scratch code verified the enrolment.
    expect(await codesOf(undo(session))).toEqual(['2FA-11'])
  })

  test('2FA-11: cannot be undone after a code was verified', async () => {
    const { session, secret } = await newEnrolment()
    const prove = (code: string) => call('POST', '/api/session/code', { ...session, body: { code } })
    expect((await prove('12345')).status).toBe(409)
    expect(await stateOf(session)).toMatchObject({ canTakeBack: true })
    expect((await prove(codeOf(secret))).status).toBe(204)
    expect(await stateOf(session)).toMatchObject({ canTakeBack: false })
    expect(await codesOf(undo(session))).toEqual(['2FA-11'])
  })
})

describe('an enrolment of the console that was left before a code was right', () => {
  const prove = (session: Session, secret: string) =>
    call('POST', '/api/session/code', { ...session, body: { code: codeOf(secret) } })
  const enable = (user: Person, how: object) =>
    call('POST', actionOf(user, 'enable2fa'), { ...how, body: { type: 'APP_AUTHENTICATOR' } })

  test('asks the sign-in for no code and leads back, with a new secret, until one is right', async () => {
    const { user, secret } = await newEnrolment()
    const later = await signIn(user)
    expect(await stateOf(later)).toMatchObject({
      mustEnableTwoFactor: true,
      isEnrolling: true,
      canTakeBack: false,
    })
    expect(await codesOf(call('GET', '/api/admin/scopes', later))).toEqual(['2FA-9'])
    const { authenticatorURL } = await expectStatus(201, enable(user, later))
    const second = secretOf(authenticatorURL)
    expect(second).not.toBe(secret)
    expect(await codesOf(prove(later, secret))).toEqual(['2FA-8'])
    expect(await codesOf(call('GET', '/api/admin/scopes', later))).toEqual(['2FA-9'])
    expect((await prove(later, second)).status).toBe(204)
    expect(await stateOf(later)).toMatchObject({ mustEnableTwoFactor: false, isEnrolling: false })
    await expectStatus(200, call('GET', '/api/login', later))
    expect(await codesOf(enable(user, later))).toEqual(['2FA-1'])
    const { nick, password } = user
    const again = call('POST', '/api/session', { as: null, body: { nick, password } })
    expect(await codesOf(again)).toEqual(['SIGN-IN-1'])
  })

  test('is on for programs: they need a code, and cannot begin it anew', async () => {
    const { user, session } = await newEnrolment()
    const basic = await call('GET', '/api/login', { as: user })
    expect([basic.status, basic.headers.get('x-service-otp')]).toEqual([
      401,
      'required; type=APP_AUTHENTICATOR',
    ])
    expect((await enable(user, { as: user })).status).toBe(401)
    await undo(session)
    const token = tokenOf(await call('GET', '/api/login', { as: user }))
    await expectStatus(201, enable(user, session))
    const headers = { authorization: `Token ${token}` }
    const body = { type: 'APP_AUTHENTICATOR', oldPassword: user.password }
    expect(await codesOf(call('POST', actionOf(user, 'enable2fa'), { as: null, headers, body }))).toEqual([
      '2FA-1',
    ])
  })

  test('can be undone by the session that began it anew, which is free then', async () => {
    const { user, session } = await newEnrolment()
    const later = await signIn(user)
    expect(await codesOf(undo(later))).toEqual(['2FA-11'])
    await expectStatus(201, enable(user, later))
    expect(await codesOf(undo(session))).toEqual(['2FA-11'])
    expect((await undo(later)).status).toBe(204)
    expect(await stateOf(later)).toMatchObject({ mustEnableTwoFactor: false, isEnrolling: false })
    await expectStatus(200, call('GET', '/api/login', later))
  })

  test('is not begun anew by the thief of a session, who knows no password', async () => {
    const { user, session, secret } = await newEnrolment()
    vi.setSystemTime(Date.now() + 20 * 60_000)
    const anew = (more: object = {}) =>
      call('POST', actionOf(user, 'enable2fa'), { ...session, body: { type: 'APP_AUTHENTICATOR', ...more } })
    expect(await codesOf(anew())).toEqual(['SIGN-IN-6'])
    expect((await anew({ oldPassword: 'wrong password' })).status).toBe(403)
    expect((await prove(session, secret)).status).toBe(204)
  })

  test('begun twice at the same moment has one key', async () => {
    const { session, enable } = await newEnrolment()
    const answers = await Promise.all([enable(), enable()])
    const secrets = await Promise.all(
      answers.map(async (answer) => secretOf((await expectStatus(201, answer)).authenticatorURL)),
    )
    expect((await stateOf(session)).scratchCodesLeft).toBe(10)
    const proofs: number[] = []
    for (const each of secrets) proofs.push((await prove(session, each)).status)
    expect(proofs.sort()).toEqual([204, 409])
  })

  test('is mailed as on with the first correct code alone; one of a program at once', () =>
    withMailbox(async (mailbox) => {
      const isOn = async (email: string) =>
        (await mailbox.of(email)).filter(({ subject }) => subject === 'Two factor authentication is on')
          .length
      const { user, session, secret } = await newEnrolment()
      const { email } = await stateOf(session)
      expect(await isOn(email)).toBe(0)
      expect(
        await codesOf(call('POST', '/api/session/code', { ...session, body: { code: '000000' } })),
      ).toEqual(['2FA-8'])
      expect(await isOn(email)).toBe(0)
      expect((await prove(session, secret)).status).toBe(204)
      expect(await isOn(email)).toBe(1)
      vi.setSystemTime(Date.now() + STEP)
      const { nick, password } = user
      const again = call('POST', '/api/session', { as: null, body: { nick, password, code: codeOf(secret) } })
      expect((await again).status).toBe(200)
      expect(await isOn(email)).toBe(1)
      const program = await newUser({ email: newAddress() })
      await expectStatus(201, enable(program, { as: program }))
      const { email: other } = await expectStatus(
        200,
        call('GET', `/api/admin/enterprises/_/users/${program.id}`),
      )
      expect(await isOn(other)).toBe(1)
    }))

  test('has the name of the product in the app, where a program gets the issuer', async () => {
    const { credentials } = await newEnrolment()
    expect(credentials.authenticatorURL).toMatch(
      /^otpauth:\/\/totp\/Cloud%20console:.*&issuer=Cloud%20console&/,
    )
    const user = await newUser()
    const { authenticatorURL } = await expectStatus(201, enable(user, { as: user }))
    expect(authenticatorURL).toMatch(/&issuer=Service&/)
  })
})

describe('new scratch codes', () => {
  const renew = (user: Person, session: Session, code?: string) =>
    call('POST', actionOf(user, 'scratchcodes'), {
      as: null,
      headers: { ...session.headers, ...(code && { 'x-service-otp': code }) },
    })

  test('are ten and require a code; the old ones end, and the user gets a mail', () =>
    withMailbox(async (mailbox) => {
      const { user, session, secret, credentials } = await newEnrolment()
      const { email } = await stateOf(session)
      const fresh = await expectStatus(201, renew(user, session, codeOf(secret)))
      expect(fresh).toEqual({
        links: [],
        provider: 'APP_AUTHENTICATOR',
        scratchCodes: expect.arrayContaining([expect.stringMatching(/^\d{8}$/)]),
      })
      expect(new Set(fresh.scratchCodes).size).toBe(10)
      expect(await stateOf(session)).toMatchObject({ scratchCodesLeft: 10 })
      expect((await mailbox.of(email)).at(-1)?.subject).toBe('You have new scratch codes')
      const refused = await renew(user, session, credentials.scratchCodes[0])
      expect(refused.status).toBe(401)
      expect((await renew(user, session, fresh.scratchCodes[0])).status).toBe(201)
    }))

  test('are refused without a code, for another user, or while two factor is off', async () => {
    const { user, session } = await newEnrolment()
    const asked = await renew(user, session)
    expect([asked.status, asked.headers.get('x-service-otp')]).toEqual([
      401,
      'required; type=APP_AUTHENTICATOR',
    ])
    const other = await newUser()
    expect(await codesOf(renew(other, session))).toEqual(['2FA-6'])
    expect(await codesOf(renew(other, await signIn(other)))).toEqual(['2FA-7'])
  })
})

describe('an authenticator with a wrong clock', () => {
  const MINUTE = 60_000

  test.each([
    [5, '300', '5 minutes ahead'],
    [-1, '-60', '1 minute behind'],
    [59, '3540', '59 minutes ahead'],
  ])(
    'that is %d minutes off is refused, and the response has the offset',
    async (minutes, seconds, words) => {
      const { user, secret } = await newEnrolment()
      const { nick, password } = user
      const code = codeOf(secret, Date.now() + minutes * MINUTE)
      const response = await call('POST', '/api/session', { as: null, body: { nick, password, code } })
      expect([response.status, response.headers.get('x-service-otp-clock')]).toEqual([401, seconds])
      expect((await response.json()).collection[0]).toMatchObject({
        code: 'SIGN-IN-2',
        message: expect.stringContaining(words),
      })
      const basic = await call('GET', '/api/login', { as: user, headers: { 'x-service-otp': code } })
      expect([basic.status, basic.headers.get('x-service-otp-clock')]).toEqual([401, seconds])
      expect(basic.headers.get('x-service-otp')).toBe('required; type=APP_AUTHENTICATOR')
    },
  )

  test('gets no offset if it is wrong by more than an hour', async () => {
    const { user, secret } = await newEnrolment()
    const headers = { 'x-service-otp': codeOf(secret, Date.now() + 62 * MINUTE) }
    const response = await call('GET', '/api/login', { as: user, headers })
    expect([response.status, response.headers.get('x-service-otp-clock')]).toEqual([401, null])
  })

  test('allows no extra attempt: a code refused as too early stays refused at its time', async () => {
    const { user, secret } = await newEnrolment()
    const due = Date.now() + 5 * MINUTE
    const headers = { 'x-service-otp': codeOf(secret, due) }
    expect((await call('GET', '/api/login', { as: user, headers })).status).toBe(401)
    vi.setSystemTime(due)
    expect((await call('GET', '/api/login', { as: user, headers })).status).toBe(401)
    vi.setSystemTime(due + STEP)
    const next = { 'x-service-otp': codeOf(secret) }
    expect((await call('GET', '/api/login', { as: user, headers: next })).status).toBe(200)
  })

  test('gets the offset also when the user verifies the enrolment', async () => {
    const { session, secret } = await newEnrolment()
    const body = { code: codeOf(secret, Date.now() - 3 * MINUTE) }
    const response = await call('POST', '/api/session/code', { ...session, body })
    expect([response.status, response.headers.get('x-service-otp-clock')]).toEqual([409, '-180'])
  })
})
