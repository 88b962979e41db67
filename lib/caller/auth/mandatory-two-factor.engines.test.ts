import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

type Person = Awaited<ReturnType<typeof newUser>>

const requireTwoFactor = (enterprise: number) =>
  transaction((trx) =>
    trx.updateTable('enterprises').set({ two_factor_mandatory: 1 }).where('id', '=', enterprise).execute(),
  )

/** A user without two factor, in an enterprise that requires it. */
async function newPerson(): Promise<Person> {
  const user = await newUser()
  await requireTwoFactor(user.enterpriseId)
  return user
}

const enablePath = ({ enterpriseId, id }: Person, enterprise: number | string = enterpriseId) =>
  `/api/admin/enterprises/${enterprise}/users/${id}/action/enable2fa`

const enabling = { type: 'APP_AUTHENTICATOR' }

describe('an enterprise that requires two factor, with a user who has not enabled it (docs/api/two-factor.md, "Mandatory two factor")', () => {
  test('a Basic request gets 401 with type=none and the address to enable it, and the auth cookie is cleared', async () => {
    const user = await newPerson()
    const response = await call('GET', '/api/login', { as: user })
    expect(response.status).toBe(401)
    expect(response.headers.get('x-service-otp')).toBe('required; type=none')
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Service API"')
    expect(response.headers.get('link')).toBe(`<${ORIGIN}${enablePath(user)}>; rel="enable2fa"`)
    expect(response.headers.get('x-service-token')).toBeNull()
    expect(cookiesOf(response).auth).toMatch(/^auth=;/)
  })

  test('the response to a wrong password does not reveal the requirement', async () => {
    const user = await newPerson()
    const response = await call('GET', '/api/login', { as: { ...user, password: 'a wrong password' } })
    expect([response.status, response.headers.get('x-service-otp')]).toEqual([401, null])
  })

  test('only the user’s own enable2fa is allowed, and afterwards a code is required', async () => {
    const [user, other] = [await newPerson(), await newUser()]
    for (const [method, path] of [
      ['GET', '/api/admin/scopes'],
      ['POST', '/api/logout'],
      ['GET', enablePath(user).replace('/action/enable2fa', '')],
    ] as const)
      expect((await call(method, path, { as: user })).status).toBe(401)
    expect(await codesOf(call('POST', enablePath(other), { as: user, body: enabling }))).toEqual(['2FA-4'])
    const { authenticatorURL } = await expectStatus(
      201,
      call('POST', enablePath(user), { as: user, body: enabling }),
    )
    expect((await call('GET', '/api/login', { as: user })).headers.get('x-service-otp')).toBe(
      'required; type=APP_AUTHENTICATOR',
    )
    const headers = { 'x-service-otp': codeOf(secretOf(authenticatorURL)) }
    await expectStatus(200, call('GET', '/api/login', { as: user, headers }))
  })

  test('tokens stay valid: two factor applies to passwords only', async () => {
    const user = await newUser()
    const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: user }))}` }
    await requireTwoFactor(user.enterpriseId)
    await expectStatus(200, call('GET', '/api/login', { as: null, headers }))
  })

  test('the console signs the user in and allows nothing but the enrolment', async () => {
    const user = await newPerson()
    const { nick, password } = user
    const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
    expect(await expectStatus(200, signedIn.clone())).toMatchObject({ mustEnableTwoFactor: true })
    const headers = { cookie: pairOf(cookiesOf(signedIn).console), origin: ORIGIN }
    const ask = (method: string, path: string, body?: object) =>
      call(method, path, { as: null, headers, body })
    const refused = await ask('GET', '/api/admin/scopes')
    expect([refused.status, await codesOf(refused)]).toEqual([403, ['2FA-9']])
    const { authenticatorURL } = await expectStatus(201, ask('POST', enablePath(user, '_'), enabling))
    expect(await expectStatus(200, ask('GET', '/api/session'))).toMatchObject({ mustEnableTwoFactor: true })
    await expectStatus(204, ask('POST', '/api/session/code', { code: codeOf(secretOf(authenticatorURL)) }))
    expect(await expectStatus(200, ask('GET', '/api/session'))).toMatchObject({ mustEnableTwoFactor: false })
    await expectStatus(200, ask('GET', '/api/admin/scopes'))
  })
})
