import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { database, transaction } from '#lib/db/db.server'
import {
  newAccessToken,
  newServiceAccount,
  statusBy,
  tokensOf,
  withToken,
} from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { readUser } from '#lib/tools/testing/identity'
import { changeUser, rowOf, tokenOf, withSettings } from '#lib/tools/testing/session'

const by = (token: string, path = '/api/login', method = 'GET') =>
  call(method, path, { as: null, headers: withToken(token) })

const pathOf = ({ id }: { id: number }) => `/api/admin/enterprises/_/users/${id}`

const put = async (user: { id: number }, change: object) =>
  expectStatus(200, call('PUT', pathOf(user), { body: { ...(await readUser(user.id)), ...change } }))

const privilegesBy = async (token: string): Promise<string[]> =>
  (await expectStatus(200, by(token, '/api/login?expand=privileges'))).privileges

const grant = async (user: User, privileges: Privilege[]) => {
  const { role_id } = await rowOf(user)
  await transaction(async (trx) => {
    await trx.deleteFrom('role_privileges').where('role_id', '=', role_id).execute()
    for (const privilege of privileges)
      await trx.insertInto('role_privileges').values({ role_id, privilege }).execute()
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('an access token (docs/api/programs.md, "Access tokens")', () => {
  test('authenticates as Token or Bearer, without OpenID Connect too', async () => {
    const { token } = await newAccessToken(await newUser())
    for (const scheme of ['Token', 'Bearer', 'token', 'BEARER'])
      expect([scheme, await statusBy(token, { scheme })]).toEqual([scheme, 200])
    expect(await statusBy(token, { scheme: 'Basic' })).toBe(401)
    expect((await call('GET', '/api/login', { as: null, headers: { cookie: `auth=${token}` } })).status).toBe(
      401,
    )
  })

  test('authenticates with OpenID Connect on too, where Bearer is otherwise for tokens of the provider', async () => {
    const { token } = await newAccessToken(await newUser())
    await withSettings({ OIDC_ISSUER: 'https://provider.example.test' }, async () => {
      for (const scheme of ['Token', 'Bearer']) expect(await statusBy(token, { scheme })).toBe(200)
    })
  })

  test('is answered without a session token and without cookies, signing out too', async () => {
    const { token } = await newAccessToken(await newUser())
    for (const answer of [
      await by(token),
      await by(token, '/api/logout', 'POST'),
      await by(token, '/api/nothing'),
    ]) {
      expect(answer.headers.get('x-service-token')).toBeNull()
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await statusBy(token)).toBe(200)
  })

  test('has the privileges that it and its user have at that moment', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE', 'MANAGE_NATIPS'] })
    const { token } = await newAccessToken(user, { privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    expect(await privilegesBy(token)).toEqual(['USERS_VIEW', 'VDC_ENUMERATE'])
    await grant(user, ['VDC_ENUMERATE', 'MANAGE_NATIPS', 'USERS_MANAGE_USERS'])
    expect(await privilegesBy(token)).toEqual(['VDC_ENUMERATE'])
    expect((await by(token, '/api/admin/enterprises/_/users')).status).toBe(403)
    await grant(user, ['USERS_VIEW'])
    expect((await by(token, '/api/admin/enterprises/_/users')).status).toBe(200)
  })

  test('is refused from outside its own networks or those of its user', async () => {
    const user = await newUser()
    const { token } = await newAccessToken(user, { allowedCIDRs: ['10.1.0.0/16', '127.0.0.0/8'] })
    expect(await statusBy(token, { from: '10.1.2.3' })).toBe(200)
    expect(await statusBy(token, { from: '10.2.0.1' })).toBe(401)
    await changeUser(user, { allowed_cidrs: '["10.1.2.0/24","10.2.0.0/16"]' })
    expect(await statusBy(token, { from: '10.1.2.3' })).toBe(200)
    expect(await statusBy(token, { from: '10.1.3.3' })).toBe(401)
    expect(await statusBy(token, { from: '10.2.0.1' })).toBe(401)
  })

  test('ends when it expires', async () => {
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const { token } = await newAccessToken(await newUser(), { expires })
    expect(await statusBy(token)).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires) - 1 })
    expect(await statusBy(token)).toBe(200)
    vi.setSystemTime(Date.parse(expires))
    expect(await statusBy(token)).toBe(401)
  })

  test.each([
    ['disabled', { active: false }, { active: true }],
    ['locked', { locked: true }, { locked: false }],
  ])('ends for good when its user is %s', async (_what, off, on) => {
    const user = await newUser()
    const { token } = await newAccessToken(user)
    await put(user, off)
    expect(await statusBy(token)).toBe(401)
    await put(user, on)
    expect(await statusBy(token)).toBe(401)
    expect(await expectStatus(200, call('GET', tokensOf(user)))).toMatchObject({ totalSize: 0 })
  })

  test('continues after its user’s password was changed', async () => {
    const user = await newUser()
    const session = tokenOf(await call('GET', '/api/login', { as: user }))
    const { token } = await newAccessToken(user)
    await put(user, { password: 'another password for tests' })
    expect([await statusBy(session), await statusBy(token)]).toEqual([401, 200])
  })

  test('of a user who must set up two factor continues', async () => {
    const user = await newUser()
    const { token } = await newAccessToken(user)
    await transaction((trx) =>
      trx
        .updateTable('enterprises')
        .set({ two_factor_mandatory: 1 })
        .where('id', '=', user.enterpriseId)
        .execute(),
    )
    expect(await statusBy(token)).toBe(200)
  })

  test('that is malformed is refused with the challenge of its scheme', async () => {
    const { token } = await newAccessToken(await newUser())
    const other = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    const unknown = 'sat_00000000000000000000000000000000000000002kaqcA'
    for (const wrong of [
      other,
      unknown,
      `${token}0`,
      token.slice(0, -1),
      'sat_',
      `${token}=`,
      token.toUpperCase(),
    ]) {
      const answer = await by(wrong)
      expect([wrong, answer.status]).toEqual([wrong, 401])
      expect(answer.headers.get('www-authenticate')).toBe('Token realm="Service API"')
    }
    const answer = await call('GET', '/api/login', { as: null, headers: withToken(other, 'Bearer') })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Service API", error="invalid_token"')
  })

  test('with a wrong check costs no query', async () => {
    const { token } = await newAccessToken(await newUser())
    const queries = vi.spyOn(database().read.getExecutor(), 'executeQuery')
    const direct = vi.spyOn(database().read, 'executeQuery')
    await by(`${token.slice(0, -6)}000000`)
    expect(queries.mock.calls.length + direct.mock.calls.length).toBe(0)
    await by(token)
    expect(queries.mock.calls.length + direct.mock.calls.length).toBeGreaterThan(0)
    queries.mockRestore()
    direct.mockRestore()
  })

  test('shows the time and address of its last use, and a burst of requests writes them once', async () => {
    const user = await newUser()
    const { id, token } = await newAccessToken(user)
    const read = () => expectStatus(200, call('GET', `${tokensOf(user)}/${id}`, { as: user }))
    expect(await read()).not.toHaveProperty('lastUsed')
    const from = '10.7.7.7'
    await Promise.all(Array.from({ length: 20 }, () => statusBy(token, { from })))
    await vi.waitFor(async () => expect(await read()).toMatchObject({ lastUsedFrom: from }), 15_000)
    const { lastUsed } = await read()
    expect(Date.now() - Date.parse(lastUsed)).toBeLessThan(60_000)
    await statusBy(token, { from: '10.8.8.8' })
    // Whatever this request wrote was written before the next change.
    await newAccessToken(user)
    expect(await read()).toMatchObject({ lastUsed, lastUsedFrom: from })
  })

  test('of a service account acts within that account', async () => {
    const { account, manager } = await newServiceAccount({ privileges: ['USERS_VIEW'] })
    const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
    expect(await expectStatus(200, by(token))).toMatchObject({ nick: account.nick })
    expect((await by(token, '/api/admin/enterprises/_/users')).status).toBe(200)
    expect((await by(token, '/api/admin/roles')).status).toBe(403)
  })
})
