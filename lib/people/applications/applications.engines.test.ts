import { afterEach, describe, expect, test, vi } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { env } from '#lib/ground/env.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { rotateKeys } from '#lib/server/key-rotation.server'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import {
  type Application,
  authorizationOf,
  connect,
  register,
  requestToken,
  signedCall,
} from '#lib/tools/testing/oauth'
import type { Token } from '#lib/tools/testing/oauth-client'
import { cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

type Person = Awaited<ReturnType<typeof newUser>>

afterEach(() => {
  vi.useRealTimers()
})

const listOf = ({ id }: { id: number }) => `/api/admin/enterprises/_/users/${id}/applications`
const pathOf = (user: Person, { id }: Application) => `${listOf(user)}/${id}`
const privilegeLink = (name: (typeof allPrivileges)[number], rel = 'privilege') => ({
  rel,
  href: `${ORIGIN}/api/config/privileges/${allPrivileges.indexOf(name) + 1}`,
})
const privilegesOf = ({ links }: Application) =>
  links.flatMap(({ rel, title }) => (rel === 'privilege' ? [title] : []))

describe('an application', () => {
  test('is registered by its user with all of their privileges, and its secret is shown to them', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES', 'VDC_ENUMERATE'] })
    const response = await call('POST', listOf(user), { as: user, body: { name: 'Robot', description: 'd' } })
    const made = await expectStatus(201, response)
    expect(response.headers.get('location')).toMatch(new RegExp(`/users/${user.id}/applications/${made.id}$`))
    expect(made).toMatchObject({ name: 'Robot', description: 'd' })
    expect(made.apiKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(made.apiSecret).toHaveLength(40)
    expect(privilegesOf(made).sort()).toEqual(['USERS_MANAGE_SCOPES', 'VDC_ENUMERATE'])
    expect(await expectStatus(200, call('GET', pathOf(user, made), { as: user }))).toEqual(made)
    const list = await expectStatus(200, call('GET', listOf(user), { as: user }))
    const { apiSecret: _secret, ...shown } = made
    expect(list).toMatchObject({ totalSize: 1, collection: [shown] })
    expect(JSON.stringify(list)).not.toContain(made.apiSecret)
  })

  test('responses with the secret forbid the browser to cache it', async () => {
    const user = await newUser()
    const signedIn = await call('POST', '/api/session', { as: null, body: user })
    const headers = { cookie: pairOf(cookiesOf(signedIn).console) }
    const made = await call('POST', listOf(user), { as: null, headers, body: { name: 'Robot' } })
    const path = pathOf(user, await made.clone().json())
    const read = await call('GET', path, { as: null, headers })
    const renewed = await call('POST', `${path}/action/rotatesecret`, { as: null, headers })
    for (const { status, headers } of [made, read, renewed])
      expect([status < 300, headers.get('cache-control')]).toEqual([true, 'no-store'])
    expect(read.headers.get('etag')).not.toBeNull()
    const self = await call('GET', `/api/admin/enterprises/_/users/${user.id}`, { as: null, headers })
    expect(self.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('gets only the linked privileges, and never one that its user lacks (GEN-15)', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES', 'VDC_ENUMERATE'] })
    const some = await register(user, { links: [privilegeLink('VDC_ENUMERATE', 'privilege0')] })
    expect(privilegesOf(some)).toEqual(['VDC_ENUMERATE'])
    const body = { name: 'Robot', links: [privilegeLink('VDC_ENUMERATE'), privilegeLink('USERS_VIEW')] }
    const refused = await call('POST', listOf(user), { as: user, body })
    expect([refused.status, await codesOf(refused)]).toEqual([403, ['GEN-15']])
    const unknown = {
      name: 'Robot',
      links: [{ rel: 'privilege', href: `${ORIGIN}/api/config/privileges/999` }],
    }
    expect(await codesOf(call('POST', listOf(user), { as: user, body: unknown }))).toEqual(['PRIVILEGE-0'])
  })

  test.each([
    ['turns the direction of what follows', 'Robot\u202e'],
    ['has a line break', 'Robot\nof the operator'],
    ['has a space that nobody sees', 'Ro\u200bbot'],
  ])('has a name to decide by: one that %s is CONSTR-PATTERN', async (_, name) => {
    const user = await newUser()
    expect(await codesOf(call('POST', listOf(user), { as: user, body: { name } }))).toEqual([
      'CONSTR-PATTERN',
    ])
  })

  test('of another user needs USERS_MANAGE_APPLICATIONS, and shows no secret', async () => {
    const user = await newUser({ privileges: [] })
    const made = await register(user)
    const plain = await newUser({ privileges: ['USERS_VIEW'] })
    expect((await call('GET', pathOf(user, made), { as: plain })).status).toBe(403)
    const manager = await newUser({ privileges: ['USERS_MANAGE_APPLICATIONS'] })
    const seen = await expectStatus(200, call('GET', pathOf(user, made), { as: manager }))
    expect(seen).not.toHaveProperty('apiSecret')
    const rotated = call('POST', `${pathOf(user, made)}/action/rotatesecret`, { as: manager })
    expect(await codesOf(rotated)).toEqual(['GEN-15'])
    expect((await call('DELETE', pathOf(user, made), { as: manager })).status).toBe(204)
    expect(await codesOf(call('GET', pathOf(user, made), { as: user }))).toEqual(['USER-23'])
  })

  test.each(['nonsense', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'])(
    'refuses an invalid public key: %j',
    async (publicKey) => {
      const user = await newUser({ privileges: [] })
      const response = await call('POST', listOf(user), { as: user, body: { name: 'Robot', publicKey } })
      expect([response.status, await codesOf(response)]).toEqual([400, ['CONSTR-PATTERN']])
    },
  )

  test('is found by its request token', async () => {
    const user = await newUser({ privileges: [] })
    const [one] = [await register(user, { name: 'One' }), await register(user, { name: 'Two' })]
    const { key } = await requestToken(one)
    const found = async (token: string) =>
      (await expectStatus(200, call('GET', `${listOf(user)}?oauth_token=${token}`, { as: user }))).collection
    expect((await found(key)).map(({ name }: { name: string }) => name)).toEqual(['One'])
    expect(await found('unknown')).toEqual([])
  })

  test('requests signed with the old secret are refused after a rotation', async () => {
    const user = await newUser({ privileges: [] })
    const made = await register(user)
    const token = await connect(made, user)
    const fresh = await expectStatus(
      200,
      call('POST', `${pathOf(user, made)}/action/rotatesecret`, { as: user }),
    )
    expect(fresh.apiSecret).not.toBe(made.apiSecret)
    expect((await signedCall(made, token, 'GET', '/api/login')).status).toBe(401)
    expect((await signedCall(fresh, token, 'GET', '/api/login')).status).toBe(200)
  })

  test('all its authorizations end when it or its user is deleted', async () => {
    const [owner, user] = [await newUser({ privileges: [] }), await newUser({ privileges: [] })]
    const [one, two] = [await register(owner), await register(owner)]
    const tokens = [await connect(one, user), await connect(two, user)] as const
    const derived = tokenOf(await signedCall(one, tokens[0], 'GET', '/api/login'))
    expect((await call('DELETE', pathOf(owner, one), { as: owner })).status).toBe(204)
    expect((await signedCall(one, tokens[0], 'GET', '/api/login')).status).toBe(401)
    const headers = { authorization: `Token ${derived}` }
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    expect((await signedCall(two, tokens[1], 'GET', '/api/login')).status).toBe(200)
    expect((await call('DELETE', `/api/admin/enterprises/_/users/${owner.id}`)).status).toBe(204)
    expect((await signedCall(two, tokens[1], 'GET', '/api/login')).status).toBe(401)
  })
})

describe('what a program may do in a user’s name', () => {
  const limited = async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES', 'USERS_VIEW'] })
    const application = await register(user, { links: [privilegeLink('USERS_VIEW')] })
    const token = await connect(application, user)
    return { user, application, token }
  }

  const derivedOf = async (application: Application, token: Token) => ({
    authorization: `Token ${tokenOf(await signedCall(application, token, 'GET', '/api/login'))}`,
  })

  test('is limited to the privileges that both have, for signed requests and for the tokens they return (docs/api/programs.md, "OAuth applications and grants")', async () => {
    const { user, application, token } = await limited()
    const users = `/api/admin/enterprises/${user.enterpriseId}/users`
    expect((await signedCall(application, token, 'GET', users)).status).toBe(200)
    expect((await signedCall(application, token, 'GET', '/api/admin/scopes')).status).toBe(403)
    const headers = await derivedOf(application, token)
    expect((await call('GET', users, { as: null, headers })).status).toBe(200)
    const refused = await call('GET', '/api/admin/scopes', { as: null, headers })
    expect(refused.status).toBe(403)
    const again = tokenOf(await call('GET', users, { as: null, headers }))
    const next = { authorization: `Token ${again}` }
    expect((await call('GET', '/api/admin/scopes', { as: null, headers: next })).status).toBe(403)
  })

  test('ends when the user revokes the authorization, and its tokens end too', async () => {
    const { user, application, token } = await limited()
    const headers = await derivedOf(application, token)
    const list = await expectStatus(200, call('GET', '/api/session/authorizations', { as: user }))
    expect(list.collection).toMatchObject([{ application: 'Robot', owner: user.nick }])
    const path = `/api/session/authorizations/${list.collection[0].id}`
    expect(await codesOf(call('DELETE', path, { as: await newUser() }))).toEqual(['OAUTH-2'])
    expect((await call('DELETE', path, { as: user })).status).toBe(204)
    expect((await signedCall(application, token, 'GET', '/api/login')).status).toBe(401)
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    expect(await codesOf(call('DELETE', path, { as: user }))).toEqual(['OAUTH-2'])
  })

  test('cannot reach the user’s account settings: profile, password, two factor, applications, sessions', async () => {
    const { user, application, token } = await limited()
    const headers = await derivedOf(application, token)
    const writes = (await loadRoutes()).flatMap(({ path, handlers }) =>
      Object.entries(handlers).flatMap(([method, { spec }]) =>
        spec.kind === 'writes' &&
        (spec.who.anyOf === 'user' || spec.who.orOwn) &&
        spec.who.ownAccount !== 'never'
          ? [
              [
                method,
                path
                  .replace('[enterprise]', '_')
                  .replace('[user]', String(user.id))
                  .replaceAll(/\[\w+\]/g, '1'),
              ],
            ]
          : [],
      ),
    )
    expect(writes.length).toBeGreaterThan(12)
    for (const [method = '', path = ''] of writes) {
      const response = await call(method, path, { as: null, headers, body: {} })
      expect([method, path, response.status]).toEqual([method, path, 403])
    }
    const other = await requestToken(application)
    const approving = call('GET', `/oauth/authorize?oauth_token=${other.key}`, { as: null, headers })
    expect((await approving).status).toBe(403)
    const own = await expectStatus(200, call('GET', pathOf(user, application), { as: null, headers }))
    expect(own).not.toHaveProperty('apiSecret')
    expect((await call('POST', '/api/logout', { as: null, headers })).status).toBe(204)
  })

  test('follows the user’s role at once', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
    const application = await register(user)
    const token = await connect(application, user)
    expect((await signedCall(application, token, 'GET', '/api/admin/scopes')).status).toBe(200)
    const self = await expectStatus(200, call('GET', `/api/admin/enterprises/_/users/${user.id}`))
    const role = self.links.find(({ rel }: { rel: string }) => rel === 'role').href
    const body = { name: `Emptied ${user.nick}`, links: [privilegeLink('VDC_ENUMERATE')] }
    await expectStatus(200, call('PUT', role, { body }))
    expect((await signedCall(application, token, 'GET', '/api/admin/scopes')).status).toBe(403)
  })
})

describe('a signature that was wrong', () => {
  test('is shown to the application’s owner for an hour, with the server’s base string and the clock offset', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const owner = await newUser({ privileges: ['USERS_MANAGE_APPLICATIONS'] })
    const application = await register(owner)
    const token = await connect(application, owner)
    const wrong = { ...application, apiSecret: 'wrong' }
    const now = Date.now()
    vi.setSystemTime(now - 20_000)
    const authorization = authorizationOf(wrong, 'GET', '/api/login?a=b%20c', { token })
    vi.setSystemTime(now)
    expect((await call('GET', '/api/login?a=b%20c', { as: null, headers: { authorization } })).status).toBe(
      401,
    )
    const path = `${pathOf(owner, application)}/signaturefailures`
    const { collection } = await expectStatus(200, call('GET', path, { as: owner }))
    expect(collection).toHaveLength(1)
    expect(collection[0]).toMatchObject({ signatureMethod: 'HMAC-SHA1' })
    expect(collection[0].clockOffset).toBeGreaterThanOrEqual(-21)
    expect(collection[0].clockOffset).toBeLessThanOrEqual(-20)
    const begin = `GET&${encodeURIComponent(`${ORIGIN}/api/login`)}&a%3Db%2520c%26oauth_consumer_key%3D${application.apiKey}`
    expect(collection[0].baseString.startsWith(begin)).toBe(true)
    const other = await newUser({ privileges: ['USERS_MANAGE_APPLICATIONS'] })
    expect(await codesOf(call('GET', path, { as: other }))).toEqual(['USER-23'])
    vi.setSystemTime(now + 3_600_001)
    expect(await expectStatus(200, call('GET', path, { as: owner }))).toMatchObject({ totalSize: 0 })
  })

  test('is stored only for the last twenty requests', async () => {
    const owner = await newUser({ privileges: [] })
    const application = await register(owner)
    const token = await connect(application, owner)
    const wrong = { ...application, apiSecret: 'wrong' }
    for (let index = 0; index < 23; index += 1) await signedCall(wrong, token, 'GET', `/api/login?n=${index}`)
    const path = `${pathOf(owner, application)}/signaturefailures`
    const { collection } = await expectStatus(200, call('GET', path, { as: owner }))
    expect(collection).toHaveLength(20)
    expect(collection[0].baseString).toContain('n%3D22')
  })

  test('is not stored where there are more than sixty in a minute: the consumer key is no secret', async () => {
    const owner = await newUser({ privileges: [] })
    const application = await register(owner)
    const token = await connect(application, owner)
    const wrong = { ...application, apiSecret: 'wrong' }
    for (let index = 1; index <= 62; index += 1)
      expect((await signedCall(wrong, token, 'GET', `/api/login?n=${index}`)).status).toBe(401)
    const path = `${pathOf(owner, application)}/signaturefailures`
    const { collection } = await expectStatus(200, call('GET', path, { as: owner }))
    expect(collection[0].baseString).toContain('n%3D60')
    expect((await signedCall(application, token, 'GET', '/api/login')).status).toBe(200)
  })
})

test('secrets of applications and tokens survive a new SECRET_KEY, even after the old one is removed', async () => {
  const user = await newUser({ privileges: [] })
  const application = await register(user)
  const token = await connect(application, user)
  const next = 'a new secret of more than thirty-two characters'
  const old = env().SECRET_KEY
  await withSettings({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: [old] }, rotateKeys)
  await withSettings({ SECRET_KEY: next }, async () => {
    expect((await signedCall(application, token, 'GET', '/api/login')).status).toBe(200)
  })
  await withSettings({ SECRET_KEY_PREVIOUS: [next] }, rotateKeys)
  expect((await signedCall(application, token, 'GET', '/api/login')).status).toBe(200)
})
