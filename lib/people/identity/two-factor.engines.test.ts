import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import { call, codesOf, expectStatus, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { cookiesOf, pairOf, rowOf, tokenOf, withSettings } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

type Person = User & { id: number; enterpriseId: number }

const STEP = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Math.floor(Date.now() / STEP) * STEP + 10_000)
})

afterEach(() => {
  vi.useRealTimers()
})

const action = ({ enterpriseId, id }: Person, name: 'enable2fa' | 'disable2fa') =>
  `/api/admin/enterprises/${enterpriseId}/users/${id}/action/${name}`

const enable = (user: Person, as: User = user, body: unknown = { type: 'APP_AUTHENTICATOR' }) =>
  call('POST', action(user, 'enable2fa'), { as, body })

/** A user who has enabled two factor, the credentials of the enrolment, and the token and cookie of that response. */
const enrolled = async () => {
  const user = await newUser({ privileges: [] })
  const response = await enable(user)
  const { authenticatorURL, scratchCodes } = await expectStatus(201, response)
  const cookie = pairOf(cookiesOf(response).auth)
  return {
    user,
    secret: secretOf(authenticatorURL),
    scratchCodes: scratchCodes as string[],
    token: tokenOf(response),
    cookie,
  }
}

const login = (as: User, code?: string) =>
  call('GET', '/api/login', { as, headers: code === undefined ? {} : { 'x-service-otp': code } })

const disable = (
  user: Person,
  { as = null, headers }: { as?: User | null; headers: Record<string, string> },
) => call('POST', action(user, 'disable2fa'), { as, headers })

describe('enable2fa (docs/api/two-factor.md, "Two factor authentication")', () => {
  test('takes effect at once, and shows the URL for the app and ten scratch codes once', async () => {
    const user = await newUser({ nick: `${unique('two').replace(' ', '.')}@m\u00fcller & co` })
    const response = await enable(user)
    const { authenticatorURL, ...credentials } = await expectStatus(201, response)
    expect(authenticatorURL).toMatch(
      new RegExp(
        `^otpauth://totp/Service:${encodeURIComponent(user.nick)}\\?secret=[A-Z2-7]{32}&issuer=Service&digits=6&period=30$`,
      ),
    )
    expect(credentials).toEqual({ links: [], provider: 'APP_AUTHENTICATOR', scratchCodes: expect.any(Array) })
    expect(new Set(credentials.scratchCodes).size).toBe(10)
    for (const code of credentials.scratchCodes) expect(code).toMatch(/^\d{8}$/)
    expect(response.headers.get('content-type')).toBe('application/vnd.service.twofactorauthcredentials+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await login(user)).status).toBe(401)
  })

  test('uses the issuer of the settings', async () => {
    await withSettings({ TWO_FACTOR_ISSUER: 'My Cloud' }, async () => {
      const { authenticatorURL } = await expectStatus(201, enable(await newUser()))
      expect(authenticatorURL).toMatch(/^otpauth:\/\/totp\/My%20Cloud:.*&issuer=My%20Cloud&/)
    })
  })

  test('works in XML, and with _ for the enterprise', async () => {
    const user = await newUser()
    const response = await call('POST', `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`, {
      as: user,
      body: '<twofactorauthprovider><type>APP_AUTHENTICATOR</type></twofactorauthprovider>',
      headers: {
        'content-type': 'application/vnd.service.twofactorauthprovider+xml',
        accept: 'application/vnd.service.twofactorauthcredentials+xml',
      },
    })
    expect(response.status).toBe(201)
    expect(await response.text()).toMatch(
      /<twofactorauthcredentials><provider>APP_AUTHENTICATOR<\/provider><authenticatorURL>otpauth:[^<]*&amp;issuer=[^<]*<\/authenticatorURL>(<scratchCodes>\d{8}<\/scratchCodes>){10}<\/twofactorauthcredentials>$/,
    )
  })

  test('stores the secret and the scratch codes only encrypted or hashed', async () => {
    const { user, secret, scratchCodes } = await enrolled()
    const row = await rowOf(user)
    const codes = await database()
      .read.selectFrom('scratch_codes')
      .where('user_id', '=', user.id)
      .selectAll()
      .execute()
    expect(codes).toHaveLength(10)
    const stored = JSON.stringify([row, codes])
    for (const plain of [secret, ...scratchCodes]) expect(stored).not.toContain(`"${plain}`)
  })

  test('is always linked by the user; disable2fa only while two factor is on', async () => {
    const { user, token } = await enrolled()
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`
    const links = async (read: Promise<Response>) => {
      const document = await expectStatus(200, read)
      expect(document).not.toHaveProperty('twoFactorProvider')
      return document.links
        .filter(({ rel }: { rel: string }) => rel.endsWith('2fa'))
        .map(({ rel, href, type }: { rel: string; href: string; type?: string }) => [rel, href, type])
    }
    const enableLink = [
      'enable2fa',
      `${ORIGIN}${path}/action/enable2fa`,
      'application/vnd.service.twofactorauthcredentials+json',
    ]
    const headers = { authorization: `Token ${token}` }
    expect(await links(call('GET', path, { as: null, headers }))).toEqual([
      enableLink,
      ['disable2fa', `${ORIGIN}${path}/action/disable2fa`, undefined],
    ])
    expect((await links(login(await newUser()))).map(([rel]: string[]) => rel)).toEqual(['enable2fa'])
  })
})

describe('enable2fa is refused', () => {
  test('with 2FA-1 while two factor is on', async () => {
    const { user, token } = await enrolled()
    const headers = { authorization: `Token ${token}` }
    const response = await call('POST', action(user, 'enable2fa'), {
      as: null,
      headers,
      body: { type: 'APP_AUTHENTICATOR', oldPassword: user.password },
    })
    expect([response.status, await codesOf(response)]).toEqual([409, ['2FA-1']])
  })

  test.each([
    ['an unknown provider', { type: 'SMS' }, 400, '2FA-2'],
    ['a provider in another case', { type: 'app_authenticator' }, 400, '2FA-2'],
    ['EMAIL without a mail server', { type: 'EMAIL' }, 409, '2FA-3'],
    ['no provider', {}, 400, 'CONSTR-NOTNULL'],
    ['a number', { type: 5 }, 400, 'GEN-3'],
  ])('for %s', async (_what, body, status, code) => {
    const user = await newUser()
    const response = await enable(user, user, body)
    expect([response.status, await codesOf(response)]).toEqual([status, [code]])
    expect((await login(user)).status).toBe(200)
  })

  test('with 2FA-4 for another user, and disable2fa with 2FA-6, also for administrators', async () => {
    const { user } = await enrolled()
    const fellow = await newUser({ enterpriseId: user.enterpriseId, privileges: [] })
    for (const as of [undefined, fellow]) {
      const on = await call('POST', action(user, 'enable2fa'), { as, body: { type: 'APP_AUTHENTICATOR' } })
      expect([on.status, await codesOf(on)]).toEqual([403, ['2FA-4']])
      const off = await call('POST', action(user, 'disable2fa'), {
        as,
        headers: { 'x-service-otp': '123456' },
      })
      expect([off.status, await codesOf(off)]).toEqual([403, ['2FA-6']])
    }
  })

  test('with 404 for a missing user or enterprise', async () => {
    const [one, other] = [await newUser(), await newUser()]
    for (const [path, code] of [
      [action({ ...one, id: 999999999 }, 'enable2fa'), 'USER-0'],
      [action({ ...one, enterpriseId: other.enterpriseId }, 'enable2fa'), 'USER-0'],
      [action({ ...one, enterpriseId: 999999999 }, 'enable2fa'), 'EN-0'],
    ] as const) {
      const response = await call('POST', path, { as: one, body: { type: 'APP_AUTHENTICATOR' } })
      expect([response.status, await codesOf(response)]).toEqual([404, [code]])
    }
  })
})

describe('disable2fa', () => {
  test.each(['Basic', 'Token', 'cookie'])('works with the code, signed in by %s', async (mechanism) => {
    const { user, secret, token, cookie } = await enrolled()
    const otp = { 'x-service-otp': codeOf(secret) }
    const credentials = {
      Basic: { as: user, headers: otp },
      Token: { headers: { ...otp, authorization: `Token ${token}` } },
      cookie: { headers: { ...otp, cookie } },
    }[mechanism]
    const response = await disable(user, credentials ?? { headers: {} })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await login(user)).status).toBe(200)
    expect((await rowOf(user)).two_factor_secret).toBeNull()
  })

  test('works with a scratch code as well', async () => {
    const { user, scratchCodes, token } = await enrolled()
    const headers = { authorization: `Token ${token}`, 'x-service-otp': scratchCodes[3] ?? '' }
    expect((await disable(user, { headers })).status).toBe(204)
  })

  test.each([undefined, '', '000000x', '12345678', 'nonsense'])(
    'without the correct code (%j) is 401 with X-Service-OTP for every mechanism (docs/api/two-factor.md, "Two factor authentication")',
    async (code) => {
      const { user, token, cookie } = await enrolled()
      const otp: Record<string, string> = code === undefined ? {} : { 'x-service-otp': code }
      for (const credentials of [
        { as: user, headers: otp },
        { headers: { ...otp, authorization: `Token ${token}` } },
        { headers: { ...otp, cookie } },
      ]) {
        const response = await disable(user, credentials)
        expect(response.status).toBe(401)
        expect(response.headers.get('x-service-otp')).toBe('required; type=APP_AUTHENTICATOR')
        expect(response.headers.get('www-authenticate')).toBe('Basic realm="Service API"')
      }
      expect((await rowOf(user)).two_factor_provider).toBe('APP_AUTHENTICATOR')
    },
  )

  test('with a wrong code clears the cookie only for a Basic request', async () => {
    const { user, cookie } = await enrolled()
    const cleared = async (credentials: Parameters<typeof disable>[1]) =>
      cookiesOf(await disable(user, credentials)).auth
    expect(await cleared({ as: user, headers: {} })).toMatch(/^auth=; Expires=Thu, 01 Jan 1970/)
    expect(await cleared({ headers: { cookie } })).toBeUndefined()
  })

  test('is 2FA-7 while two factor is off (docs/api/two-factor.md, "Two factor authentication")', async () => {
    const user = await newUser()
    const response = await disable(user, { as: user, headers: { 'x-service-otp': '123456' } })
    expect([response.status, await codesOf(response)]).toEqual([409, ['2FA-7']])
  })

  test('and enable2fa again give a new secret and new scratch codes; the old ones are invalid', async () => {
    const { user, secret, scratchCodes } = await enrolled()
    const [first = '', second = ''] = scratchCodes
    expect((await disable(user, { as: user, headers: { 'x-service-otp': first } })).status).toBe(204)
    const again = await expectStatus(201, enable(user))
    expect(secretOf(again.authenticatorURL)).not.toBe(secret)
    for (const code of [first, second, codeOf(secret)]) expect((await login(user, code)).status).toBe(401)
    expect((await login(user, codeOf(secretOf(again.authenticatorURL)))).status).toBe(200)
  })
})
