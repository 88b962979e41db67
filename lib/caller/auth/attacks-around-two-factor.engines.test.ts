import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { withCode } from '#lib/tools/testing/enrolled'
import { connect, register, requestToken, signedCall } from '#lib/tools/testing/oauth'
import { refusal } from '#lib/tools/testing/refusal'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

/* A thief knows only the password, and the enterprise requires two factor. Each test is named after a way to bypass the code. */

type Person = Awaited<ReturnType<typeof newUser>>
type Headers = Record<string, string>

const requireTwoFactor = (enterprise: number, mandatory: 0 | 1 = 1) =>
  transaction((trx) =>
    trx
      .updateTable('enterprises')
      .set({ two_factor_mandatory: mandatory })
      .where('id', '=', enterprise)
      .execute(),
  )

const actionOf = ({ id }: Person, action: string) => `/api/admin/enterprises/_/users/${id}/action/${action}`

const by = (headers: Headers, method: string, path: string, body?: unknown) =>
  call(method, path, { as: null, headers, body })

const login = (headers: Headers) => by(headers, 'GET', '/api/login')

const enable = (headers: Headers, user: Person, document: object = {}) =>
  by(headers, 'POST', actionOf(user, 'enable2fa'), { type: 'APP_AUTHENTICATOR', ...document })

/** Enrols a new user by Basic. Returns the secret, and the token and the cookie of the response. */
async function newEnrolment() {
  const user = await newUser()
  await requireTwoFactor(user.enterpriseId)
  const answer = await call('POST', actionOf(user, 'enable2fa'), {
    as: user,
    body: { type: 'APP_AUTHENTICATOR' },
  })
  const { authenticatorURL, scratchCodes } = await expectStatus(201, answer.clone())
  const token = { authorization: `Token ${tokenOf(answer)}` }
  const cookie = { cookie: pairOf(cookiesOf(answer).auth) }
  return { user, secret: secretOf(authenticatorURL), scratchCodes, token, cookie }
}

async function signIn({ nick, password }: Person, code?: string): Promise<Headers> {
  const answer = await call('POST', '/api/session', { as: null, body: { nick, password, code } })
  expect(answer.status).toBe(200)
  return { cookie: pairOf(cookiesOf(answer).console), origin: ORIGIN }
}

/** The only operations that an enrolment needs. */
const needed = [
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/enable2fa',
  'POST /api/session/code',
  'POST /api/session/code/mail',
  'DELETE /api/session/enrolment',
  'DELETE /api/session',
  'POST /api/logout',
]

test('before the enrolment is verified, its token and cookie are accepted only by the operations of the enrolment', async () => {
  const { user, token, cookie } = await newEnrolment()
  for (const { path, handlers } of await loadRoutes())
    for (const [method, { spec }] of Object.entries(handlers)) {
      const operation = `${method} ${path}`
      if (spec.kind === 'open' || needed.includes(operation)) continue
      const named = path.replace('[enterprise]', '_').replace('[user]', String(user.id))
      const document = method === 'GET' || method === 'DELETE' ? undefined : {}
      for (const headers of [token, cookie]) {
        const answer = await by(headers, method, named.replaceAll(/\[\w+\]/g, '1'), document)
        expect([operation, ...(await refusal(Promise.resolve(answer)))]).toEqual([operation, 403, '2FA-9'])
        expect(answer.headers.get('x-service-token')).toBeNull()
      }
    }
})

describe('enable2fa, then the token of its answer', () => {
  test('after a verified code the token is accepted everywhere', async () => {
    const { secret, token } = await newEnrolment()
    expect(await codesOf(by(token, 'POST', '/api/session/code', { code: '000000' }))).toEqual(['2FA-8'])
    expect((await login(token)).status).toBe(403)
    expect((await by(token, 'POST', '/api/session/code', { code: codeOf(secret) })).status).toBe(204)
    expect((await login(token)).status).toBe(200)
  })

  test('after undoing the enrolment none of its tokens is accepted, nor after a new enrolment', async () => {
    const { user, token, cookie } = await newEnrolment()
    const answer = await by(token, 'DELETE', '/api/session/enrolment')
    expect([answer.status, answer.headers.get('x-service-token')]).toEqual([204, null])
    expect((await login(token)).status).toBe(401)
    const again = await call('POST', actionOf(user, 'enable2fa'), {
      as: user,
      body: { type: 'APP_AUTHENTICATOR' },
    })
    const { authenticatorURL } = await expectStatus(201, again.clone())
    expect((await withCode(user, codeOf(secretOf(authenticatorURL)))).status).toBe(200)
    for (const headers of [token, cookie]) expect((await login(headers)).status).toBe(401)
    expect((await login({ authorization: `Token ${tokenOf(again)}` })).status).toBe(200)
  })

  test('no application can be authorized or used before the enrolment is verified', async () => {
    const user = await newUser()
    const application = await register(user)
    const grant = await connect(application, user)
    await requireTwoFactor(user.enterpriseId)
    const answer = await call('POST', actionOf(user, 'enable2fa'), {
      as: user,
      body: { type: 'APP_AUTHENTICATOR' },
    })
    const headers = { authorization: `Token ${tokenOf(answer)}` }
    const { key } = await requestToken(application)
    expect((await by(headers, 'GET', `/oauth/authorize?oauth_token=${key}`)).status).toBe(403)
    // A program that was authorized before keeps its access: OAuth requests need no code.
    expect((await signedCall(application, grant, 'GET', '/api/login')).status).toBe(200)
  })

  test('the limit also applies if the enterprise requires two factor only afterwards', async () => {
    const { user, token } = await newEnrolment()
    await requireTwoFactor(user.enterpriseId, 0)
    expect((await login(token)).status).toBe(200)
    await requireTwoFactor(user.enterpriseId)
    expect((await login(token)).status).toBe(403)
  })
})

describe('in the console', () => {
  test('after enable2fa nothing else is allowed until a code is verified, nor after undoing it', async () => {
    const user = await newUser()
    await requireTwoFactor(user.enterpriseId)
    const session = await signIn(user)
    const { authenticatorURL } = await expectStatus(201, enable(session, user))
    const open = () => by(session, 'GET', '/api/admin/scopes')
    expect(await refusal(open())).toEqual([403, '2FA-9'])
    expect((await by(session, 'DELETE', '/api/session/enrolment')).status).toBe(204)
    expect(await refusal(open())).toEqual([403, '2FA-9'])
    const anew = await expectStatus(201, enable(session, user))
    expect(anew.authenticatorURL).not.toBe(authenticatorURL)
    const code = codeOf(secretOf(anew.authenticatorURL))
    expect((await by(session, 'POST', '/api/session/code', { code })).status).toBe(204)
    expect((await open()).status).toBe(200)
  })

  test('after enable2fa and a new password the new session is limited too, and can undo the enrolment', async () => {
    const user = await newUser()
    await requireTwoFactor(user.enterpriseId)
    const session = await signIn(user)
    await expectStatus(201, enable(session, user))
    const body = { oldPassword: user.password, password: 'quite another password' }
    const changed = await by(session, 'PUT', '/api/session/password', body)
    expect(changed.status).toBe(204)
    const next = { cookie: pairOf(cookiesOf(changed).console), origin: ORIGIN }
    expect(await refusal(by(next, 'GET', '/api/admin/scopes'))).toEqual([403, '2FA-9'])
    expect((await by(next, 'DELETE', '/api/session/enrolment')).status).toBe(204)
  })
})

describe('an enrolment of the console that no code has verified', () => {
  const prove = (session: Headers, secret: string) =>
    by(session, 'POST', '/api/session/code', { code: codeOf(secret) })

  test('a session that began without a code stays limited after another session verified one', async () => {
    const user = await newUser()
    const session = await signIn(user)
    const { authenticatorURL } = await expectStatus(201, enable(session, user))
    const thief = await signIn(user)
    expect((await prove(session, secretOf(authenticatorURL))).status).toBe(204)
    const seen = await expectStatus(200, by(thief, 'GET', '/api/session'))
    expect(seen).toMatchObject({ mustEnableTwoFactor: true, isEnrolling: false })
    for (const [method, path] of [
      ['GET', '/api/admin/scopes'],
      ['GET', '/api/login'],
      ['GET', '/api/session/sessions'],
      ['DELETE', '/api/session/sessions'],
      ['POST', actionOf(user, 'disable2fa')],
      ['POST', actionOf(user, 'scratchcodes')],
    ] as const)
      expect(await refusal(by(thief, method, path))).toEqual([403, '2FA-9'])
    expect(await codesOf(enable(thief, user))).toEqual(['2FA-1'])
    expect(await codesOf(by(thief, 'DELETE', '/api/session/enrolment'))).toEqual(['2FA-11'])
    const body = { oldPassword: user.password, password: 'quite another password' }
    const changed = await by(thief, 'PUT', '/api/session/password', body)
    expect(changed.status).toBe(204)
    const next = { cookie: pairOf(cookiesOf(changed).console), origin: ORIGIN }
    expect(await refusal(by(next, 'GET', '/api/admin/scopes'))).toEqual([403, '2FA-9'])
  })

  test('a sign-in that read the user before the code was verified is limited as well', async () => {
    const user = await newUser()
    const session = await signIn(user)
    const { authenticatorURL } = await expectStatus(201, enable(session, user))
    const [late] = await Promise.all([signIn(user), prove(session, secretOf(authenticatorURL))])
    expect(await refusal(by(late, 'GET', '/api/admin/scopes'))).toEqual([403, '2FA-9'])
  })

  test('that a program began is asked for its code, and is not begun anew in the console', async () => {
    const user = await newUser()
    const session = await signIn(user)
    await expectStatus(
      201,
      call('POST', actionOf(user, 'enable2fa'), { as: user, body: { type: 'APP_AUTHENTICATOR' } }),
    )
    const { nick, password } = user
    const asked = call('POST', '/api/session', { as: null, body: { nick, password } })
    expect(await refusal(asked)).toEqual([401, 'SIGN-IN-1'])
    expect(await codesOf(enable(session, user))).toEqual(['2FA-1'])
  })

  test('never comes back once a code was right: not by a new password, nor by disabling and a program’s enrolment', async () => {
    const user = await newUser()
    const session = await signIn(user)
    const { authenticatorURL, scratchCodes } = await expectStatus(201, enable(session, user))
    expect((await prove(session, secretOf(authenticatorURL))).status).toBe(204)
    const signedIn = async () =>
      refusal(call('POST', '/api/session', { as: null, body: { nick: user.nick, password: user.password } }))
    expect(await signedIn()).toEqual([401, 'SIGN-IN-1'])
    const disabled = await by(
      { ...session, 'x-service-otp': scratchCodes[0] },
      'POST',
      actionOf(user, 'disable2fa'),
    )
    expect(disabled.status).toBe(204)
    await expectStatus(
      201,
      call('POST', actionOf(user, 'enable2fa'), { as: user, body: { type: 'APP_AUTHENTICATOR' } }),
    )
    expect(await signedIn()).toEqual([401, 'SIGN-IN-1'])
  })

  test('does not get around the demand of the enterprise', async () => {
    const user = await newUser()
    await requireTwoFactor(user.enterpriseId)
    const session = await signIn(user)
    await expectStatus(201, enable(session, user))
    const later = await signIn(user)
    await expectStatus(201, enable(later, user))
    expect((await by(later, 'DELETE', '/api/session/enrolment')).status).toBe(204)
    for (const each of [session, later])
      expect(await refusal(by(each, 'GET', '/api/admin/scopes'))).toEqual([403, '2FA-9'])
    expect((await call('GET', '/api/login', { as: user })).headers.get('x-service-otp')).toBe(
      'required; type=none',
    )
  })
})

describe('disable2fa in an enterprise that requires two factor', () => {
  test('requires a new enrolment: no earlier token is accepted', async () => {
    const { user, secret, scratchCodes } = await newEnrolment()
    const token = { authorization: `Token ${tokenOf(await withCode(user, codeOf(secret)))}` }
    expect((await login(token)).status).toBe(200)
    const disabled = await by(
      { ...token, 'x-service-otp': scratchCodes[0] },
      'POST',
      actionOf(user, 'disable2fa'),
    )
    expect([disabled.status, disabled.headers.get('x-service-token')]).toEqual([204, null])
    expect((await login(token)).status).toBe(401)
    const answer = await call('GET', '/api/login', { as: user })
    expect([answer.status, answer.headers.get('x-service-otp')]).toEqual([401, 'required; type=none'])
  })

  test('leads the console to the enrolment', async () => {
    const { user, secret, scratchCodes } = await newEnrolment()
    const session = await signIn(user, codeOf(secret))
    const disabled = await by(
      { ...session, 'x-service-otp': scratchCodes[0] },
      'POST',
      actionOf(user, 'disable2fa'),
    )
    expect(disabled.status).toBe(204)
    const next = { cookie: pairOf(cookiesOf(disabled).console), origin: ORIGIN }
    expect(await refusal(by(next, 'GET', '/api/admin/scopes'))).toEqual([403, '2FA-9'])
    await expectStatus(201, enable(next, user))
  })

  test('a console session with a forged Basic header still has to send a correct code', async () => {
    const { user, secret } = await newEnrolment()
    const session = await signIn(user, codeOf(secret))
    const invented = {
      authorization: 'Basic eDp5',
      'sec-fetch-site': 'same-origin',
      'x-service-otp': '000000',
    }
    const answer = await by({ ...session, ...invented }, 'POST', actionOf(user, 'disable2fa'))
    expect(answer.status).toBe(401)
    expect(await expectStatus(200, by(session, 'GET', '/api/session'))).toHaveProperty('twoFactorProvider')
  })
})
