import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { codeIn, type Mailbox, newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'

const email = { type: 'EMAIL' }

const actionOf = ({ id }: { id: number }, action: string) =>
  `/api/admin/enterprises/_/users/${id}/action/${action}`

/** A user with an address who has enabled EMAIL, and a token from before that. */
async function enrolled(locale = 'en_US') {
  const user = { ...(await newUser({ email: newAddress(), locale })), email: '' }
  const self = await call('GET', '/api/login', { as: user })
  const token = { authorization: `Token ${tokenOf(self)}` }
  user.email = (await self.json()).email
  const answer = await call('POST', actionOf(user, 'enable2fa'), { as: user, body: email })
  return { user, token, credentials: await expectStatus(201, answer) }
}

const login = (as: User, code?: string) =>
  call('GET', '/api/login', { as, headers: code === undefined ? {} : { 'x-service-otp': code } })

const signIn = ({ nick, password }: User, code?: string) =>
  call('POST', '/api/session', { as: null, body: { nick, password, ...(code && { code }) } })

/** Requests a code by Basic, and reads it from the mail. */
async function nextCode(mailbox: Mailbox, user: User & { email: string }): Promise<string> {
  expect((await login(user)).status).toBe(401)
  return codeIn(await mailbox.of(user.email))
}

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

const setClock = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(ms)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('enable2fa with EMAIL', () => {
  test('takes effect at once: it returns scratch codes without an authenticatorURL, and mails a confirmation', () =>
    withMailbox(async (mailbox) => {
      const { user, credentials } = await enrolled()
      expect(credentials).toEqual({
        links: [],
        provider: 'EMAIL',
        scratchCodes: expect.arrayContaining([expect.stringMatching(/^\d{8}$/)]),
      })
      expect(credentials.scratchCodes).toHaveLength(10)
      const [mail] = await mailbox.of(user.email)
      expect(mail?.subject).toBe('Two factor authentication is on')
      expect(mail?.text).toContain('mailed to this address')
    }))

  test('2FA-3 without a mail server', async () => {
    const user = await newUser({ email: newAddress() })
    expect(await codesOf(call('POST', actionOf(user, 'enable2fa'), { as: user, body: email }))).toEqual([
      '2FA-3',
    ])
  })

  test.each(['', 'no address'])('2FA-5 with the address "%s"', (address) =>
    withMailbox(async () => {
      const user = await newUser({ email: address })
      expect(await codesOf(call('POST', actionOf(user, 'enable2fa'), { as: user, body: email }))).toEqual([
        '2FA-5',
      ])
    }),
  )

  test('2FA-5: the address can be changed afterwards, but not removed', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await enrolled()
      const self = await expectStatus(200, call('GET', '/api/login', { as: null, headers: token }))
      const put = (address: string) =>
        call('PUT', self.links[0].href, {
          as: null,
          headers: token,
          body: { ...self, email: address, oldPassword: user.password },
        })
      expect(await codesOf(put(''))).toEqual(['2FA-5'])
      const next = newAddress()
      await expectStatus(200, put(next))
      const notice = (await mailbox.of(user.email)).at(-1)
      expect(notice?.subject).toBe('Your e-mail address was changed')
      expect(notice?.text).toContain(next)
      expect(await nextCode(mailbox, { ...user, email: next })).toMatch(/^\d{6}$/)
    }))
})

describe('a sign-in with EMAIL (docs/api/two-factor.md, "Two factor authentication")', () => {
  test('is 401 with type=EMAIL and mails a code in the user’s language, which works once', () =>
    withMailbox(async (mailbox) => {
      const { user } = await enrolled('es_ES')
      const response = await login(user)
      expect(response.status).toBe(401)
      expect(response.headers.get('x-service-otp')).toBe('required; type=EMAIL')
      expect(response.headers.get('retry-after')).toBe('30')
      const code = codeIn(await mailbox.of(user.email))
      const mail = (await mailbox.of(user.email)).find(({ text }) => text?.includes(code))
      expect(mail?.subject).toBe(`Su código de verificación: ${code}`)
      expect(mail?.html).toContain(`>${code}</p>`)
      expect((await login(user, code)).status).toBe(200)
      expect((await login(user, code)).status).toBe(401)
    }))

  test('in the console: SIGN-IN-1 with the provider, then the code', () =>
    withMailbox(async (mailbox) => {
      const { user } = await enrolled()
      const response = await signIn(user)
      expect([
        response.status,
        response.headers.get('x-service-otp'),
        response.headers.get('retry-after'),
      ]).toEqual([401, 'required; type=EMAIL', '30'])
      expect(await codesOf(response)).toEqual(['SIGN-IN-1'])
      const code = codeIn(await mailbox.of(user.email))
      const wrong = await signIn(user, wrongFor(code))
      expect(wrong.headers.get('x-service-otp')).toBe('required; type=EMAIL')
      expect(await codesOf(wrong)).toEqual(['SIGN-IN-2'])
      expect(await expectStatus(200, signIn(user, code))).toMatchObject({ twoFactorProvider: 'EMAIL' })
    }))

  test('mails nothing for a wrong password', () =>
    withMailbox(async (mailbox) => {
      const { user } = await enrolled()
      const before = (await mailbox.of(user.email)).length
      expect((await login({ ...user, password: 'wrong' })).status).toBe(401)
      expect(await mailbox.of(user.email)).toHaveLength(before)
    }))

  test('mails another code after 30 seconds at the earliest, which replaces the first', () =>
    withMailbox(async (mailbox) => {
      setClock(Date.now())
      const { user } = await enrolled()
      const first = await nextCode(mailbox, user)
      const count = (await mailbox.of(user.email)).length
      vi.setSystemTime(Date.now() + 29_000)
      expect((await login(user)).headers.get('retry-after')).toBe('1')
      expect(await mailbox.of(user.email)).toHaveLength(count)
      vi.setSystemTime(Date.now() + 1000)
      const second = await nextCode(mailbox, user)
      expect(await mailbox.of(user.email)).toHaveLength(count + 1)
      if (first !== second) expect((await login(user, first)).status).toBe(401)
      expect((await login(user, second)).status).toBe(200)
    }))

  test('mails another code at once if the last one was used', () =>
    withMailbox(async (mailbox) => {
      const { user } = await enrolled()
      expect((await login(user, await nextCode(mailbox, user))).status).toBe(200)
      const count = (await mailbox.of(user.email)).length
      expect((await login(user)).status).toBe(401)
      expect(await mailbox.of(user.email)).toHaveLength(count + 1)
    }))

  test('accepts a code for ten minutes', () =>
    withMailbox(async (mailbox) => {
      setClock(Date.now())
      const { user } = await enrolled()
      const code = await nextCode(mailbox, user)
      vi.setSystemTime(Date.now() + 600_000)
      expect((await login(user, code)).status).toBe(401)
      const next = await nextCode(mailbox, user)
      vi.setSystemTime(Date.now() + 599_000)
      expect((await login(user, next)).status).toBe(200)
    }))

  test('accepts no code after five wrong ones from any address', () =>
    withMailbox(async (mailbox) => {
      setClock(Date.now())
      const { user } = await enrolled()
      const code = await nextCode(mailbox, user)
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect((await login(user, wrongFor(code))).status).toBe(401)
        // Slower than the rate limit, so that only the limit per mailed code applies.
        vi.setSystemTime(Date.now() + 61_000)
      }
      expect((await login(user, code)).status).toBe(401)
      expect((await login(user, await nextCode(mailbox, user))).status).toBe(200)
    }))

  test('accepts a scratch code instead, and mails how many are left', () =>
    withMailbox(async (mailbox) => {
      const { user, credentials } = await enrolled()
      expect((await login(user, credentials.scratchCodes[0])).status).toBe(200)
      const notice = (await mailbox.of(user.email)).at(-1)
      expect(notice?.subject).toBe('A scratch code was used')
      expect(notice?.text).toContain('9 scratch codes are left')
    }))
})

describe('a code for a signed-in user', () => {
  test('is mailed on request, verifies the enrolment, and is not sent twice in 30 seconds', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await enrolled()
      const headers = { as: null, headers: token }
      const response = await call('POST', '/api/session/code/mail', headers)
      expect([response.status, response.headers.get('retry-after')]).toEqual([204, '30'])
      const code = codeIn(await mailbox.of(user.email))
      const count = (await mailbox.of(user.email)).length
      expect((await call('POST', '/api/session/code/mail', headers)).status).toBe(204)
      expect(await mailbox.of(user.email)).toHaveLength(count)
      const prove = (sent: string) => call('POST', '/api/session/code', { ...headers, body: { code: sent } })
      const wrong = await prove(wrongFor(code))
      expect(wrong.headers.get('x-service-otp')).toBe('required; type=EMAIL')
      expect(await codesOf(wrong)).toEqual(['2FA-8'])
      expect((await prove(code)).status).toBe(204)
    }))

  test('is refused with 2FA-7 while two factor is off, and with 2FA-10 if codes come from an app', async () => {
    const user = await newUser()
    const refusalFor = async (as: User) => codesOf(call('POST', '/api/session/code/mail', { as }))
    expect(await refusalFor(user)).toEqual(['2FA-7'])
    const token = { authorization: `Token ${tokenOf(await login(user))}` }
    const body = { type: 'APP_AUTHENTICATOR' }
    await expectStatus(201, call('POST', actionOf(user, 'enable2fa'), { as: user, body }))
    const response = call('POST', '/api/session/code/mail', { as: null, headers: token })
    expect(await codesOf(response)).toEqual(['2FA-10'])
  })
})

describe('disable2fa with EMAIL', () => {
  test('by a token: a request without a code mails one; with the code two factor is off, which a mail confirms', () =>
    withMailbox(async (mailbox) => {
      const { user, token } = await enrolled()
      const disable = (code?: string) =>
        call('POST', actionOf(user, 'disable2fa'), {
          as: null,
          headers: { ...token, ...(code && { 'x-service-otp': code }) },
        })
      const response = await disable()
      expect([response.status, response.headers.get('x-service-otp')]).toEqual([401, 'required; type=EMAIL'])
      const code = codeIn(await mailbox.of(user.email))
      expect((await disable(wrongFor(code))).status).toBe(401)
      expect((await disable(code)).status).toBe(204)
      expect((await mailbox.of(user.email)).at(-1)?.subject).toBe('Two factor authentication is off')
      expect((await login(user)).status).toBe(200)
    }))

  test('by Basic: the code of the request itself suffices', () =>
    withMailbox(async (mailbox) => {
      const { user } = await enrolled()
      const headers = { 'x-service-otp': await nextCode(mailbox, user) }
      const response = await call('POST', actionOf(user, 'disable2fa'), { as: user, headers })
      expect(response.status).toBe(204)
      expect((await login(user)).status).toBe(200)
    }))

  test('a code mailed before is invalid after EMAIL is enabled again', () =>
    withMailbox(async (mailbox) => {
      const { user, credentials } = await enrolled()
      const code = await nextCode(mailbox, user)
      const headers = { 'x-service-otp': credentials.scratchCodes[0] }
      expect((await call('POST', actionOf(user, 'disable2fa'), { as: user, headers })).status).toBe(204)
      await expectStatus(201, call('POST', actionOf(user, 'enable2fa'), { as: user, body: email }))
      expect((await login(user, code)).status).toBe(401)
    }))
})

test('the console session lists the providers of the installation', async () => {
  const offered = async () => {
    const user = await newUser()
    const cookie = pairOf(cookiesOf(await signIn(user)).console)
    const session = await expectStatus(200, call('GET', '/api/session', { as: null, headers: { cookie } }))
    return session.twoFactorProviders
  }
  expect(await offered()).toEqual(['APP_AUTHENTICATOR'])
  expect(await withMailbox(offered)).toEqual(['EMAIL', 'APP_AUTHENTICATOR'])
})
