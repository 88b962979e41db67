import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { database } from '#lib/db/db.server'
import {
  newAccessToken,
  newServiceAccount,
  statusBy,
  tokensOf,
  withToken,
} from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import {
  enterpriseLink,
  newRole,
  putUser,
  readUser,
  relinked,
  roleLink,
  scopeLink,
  userBody,
  usersOf,
} from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, putScope } from '#lib/tools/testing/scopes'
import { tokenOf } from '#lib/tools/testing/session'

const DAY = 24 * 60 * 60 * 1000
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString()

const eventsOf = async (id: number) =>
  (await expectStatus(200, call('GET', `/api/events?entity=accesstoken&entityid=${id}&by=id`))).collection

describe('an access token', () => {
  test('is made with the token, which is shown once and stored nowhere', async () => {
    const user = await newUser({ privileges: ['VDC_ENUMERATE', 'USERS_VIEW'] })
    const body = { name: unique('Backup'), privileges: ['USERS_VIEW'], allowedCIDRs: ['127.0.0.0/8'] }
    const response = await call('POST', tokensOf(user), { as: user, body: { ...body, expires: inDays(30) } })
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { token, ...made } = await expectStatus(201, response)
    expect(made).toMatchObject({ ...body, id: expect.any(Number), created: expect.any(String) })
    const self = made.links.find(({ rel }: { rel: string }) => rel === 'self')
    expect(self).toMatchObject({ title: body.name, href: response.headers.get('location') })
    expect(await expectStatus(200, call('GET', self.href, { as: user }))).toEqual(made)
    const { collection } = await expectStatus(200, call('GET', tokensOf(user), { as: user }))
    expect(collection).toEqual([made])
    const stored = await Promise.all(
      (['access_tokens', 'events', 'idempotency_keys'] as const).map((table) =>
        database().read.selectFrom(table).selectAll().execute(),
      ),
    )
    expect(JSON.stringify(stored)).not.toContain(token.slice(4, 40))
  })

  test('consists of sat_, 40 characters of base 62, and their CRC-32 in base 62', async () => {
    const { token } = await newAccessToken(await newUser())
    const [, secret = '', check = ''] = /^sat_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(token) ?? []
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const value = [...check].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(value).toBe(crc32(secret))
  })

  test('ends after 90 days by default, and after 366 at most', async () => {
    const user = await newUser()
    const made = await newAccessToken(user)
    expect(made).toMatchObject({ expires: expect.any(String) })
    const { created, expires } = made as unknown as Record<'created' | 'expires', string>
    expect(Date.parse(expires) - Date.parse(created)).toBe(90 * DAY)
    const zoned = inDays(3).replace('Z', '+02:00')
    expect(await newAccessToken(user, { expires: zoned })).toMatchObject({
      expires: new Date(zoned).toISOString(),
    })
    await newAccessToken(user, { expires: inDays(365.9) })
    for (const expires of [inDays(366.1), inDays(-0.001), '9999-12-31T23:59:59Z'])
      expect(await refusal(call('POST', tokensOf(user), { as: user, body: { name: 'T', expires } }))).toEqual(
        [400, 'TOKEN-2'],
      )
    for (const expires of ['tomorrow', '2027-01-01', '2027-01-01T00:00:00'])
      expect(await refusal(call('POST', tokensOf(user), { as: user, body: { name: 'T', expires } }))).toEqual(
        [400, 'CONSTR-PATTERN'],
      )
  })

  test('gets the named privileges, none for an empty list, and all of its user without a list', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    expect(await newAccessToken(user)).toMatchObject({ privileges: ['VDC_ENUMERATE', 'USERS_VIEW'] })
    expect(await newAccessToken(user, { privileges: [] })).toMatchObject({ privileges: [] })
    const twice = { privileges: ['USERS_VIEW', 'USERS_VIEW'] }
    expect(await newAccessToken(user, twice)).toMatchObject({ privileges: ['USERS_VIEW'] })
    const refused = (privileges: string[]) =>
      refusal(call('POST', tokensOf(user), { as: user, body: { name: 'T', privileges } }))
    expect(await refused(['MANAGE_DEVICES', 'USERS_VIEW'])).toEqual([403, 'GEN-15'])
    expect(await refused(['MANAGE_EVERYTHING'])).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refused(['users_view'])).toEqual([400, 'CONSTR-PATTERN'])
  })

  test('has a name that no other token of the user has', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const { name } = await newAccessToken(user)
    expect(await refusal(call('POST', tokensOf(user), { as: user, body: { name } }))).toEqual([
      409,
      'TOKEN-1',
    ])
    await newAccessToken(other, { name })
  })

  test('is read and written in XML', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW'] })
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const make = (fields: string) =>
      call('POST', tokensOf(user), {
        as: user,
        headers,
        body: `<accesstoken><name>${unique('XML')}</name>${fields}</accesstoken>`,
      })
    const text = await expectStatus(
      201,
      make('<privileges>USERS_VIEW</privileges><allowedCIDRs>10.0.0.0/8</allowedCIDRs>'),
    )
    expect(text).toMatch(/^<\?xml|^<accesstoken>/)
    expect(text).toContain('<privileges>USERS_VIEW</privileges>')
    expect(text).toContain('<allowedCIDRs>10.0.0.0/8</allowedCIDRs>')
    expect(text).toMatch(/<token>sat_\w{46}<\/token>/)
    expect(await expectStatus(201, make('<privileges/>'))).not.toContain('<privileges>')
    const list = await expectStatus(200, call('GET', tokensOf(user), { as: user, headers }))
    expect(list).toContain('<totalSize>2</totalSize>')
    expect(list).not.toContain('sat_')
  })

  test('is listed by name, end and last use', async () => {
    const user = await newUser()
    for (const [name, days] of [
      ['b', 10],
      ['a', 30],
      ['C', 20],
    ] as const)
      await newAccessToken(user, { name, expires: inDays(days) })
    const names = async (query: string) => {
      const { collection } = await expectStatus(200, call('GET', `${tokensOf(user)}?${query}`, { as: user }))
      return collection.map(({ name }: { name: string }) => name).join('')
    }
    expect(await names('')).toBe('abC')
    expect(await names('by=expires')).toBe('bCa')
    expect(await names('by=lastUsed&asc=false')).toBe('Cab')
    expect(await names('has=c')).toBe('C')
    expect(await refusal(call('GET', `${tokensOf(user)}?by=token`, { as: user }))).toEqual([400, 'QUERY-0'])
  })

  test('is replayed without the token', async () => {
    const user = await newUser()
    const sent = {
      as: user,
      headers: { 'idempotency-key': unique('key').replace(' ', '-') },
      body: { name: 'Once' },
    }
    const { token, ...first } = await expectStatus(201, call('POST', tokensOf(user), sent))
    expect(token).toBeTruthy()
    const again = await call('POST', tokensOf(user), sent)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await expectStatus(201, again)).toEqual(first)
  })

  test('is revoked, with events that cannot be undone and have no secret', async () => {
    const user = await newUser()
    const { id, token, name } = await newAccessToken(user)
    expect(await statusBy(token)).toBe(200)
    await expectStatus(204, call('DELETE', `${tokensOf(user)}/${id}`, { as: user }))
    expect(await statusBy(token)).toBe(401)
    expect(await refusal(call('GET', `${tokensOf(user)}/${id}`, { as: user }))).toEqual([404, 'TOKEN-0'])
    expect(await refusal(call('DELETE', `${tokensOf(user)}/${id}`, { as: user }))).toEqual([404, 'TOKEN-0'])
    const events = await eventsOf(id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'delete'])
    expect(events[0]).toMatchObject({ entityName: name, changes: { token: { after: 'changed' } } })
    for (const event of events)
      expect(await refusal(call('POST', `/api/events/${event.id}/action/undo`))).toEqual([409, 'UNDO-3'])
  })

  test('of another user is TOKEN-0 below this one', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const { id } = await newAccessToken(other)
    expect(await refusal(call('GET', `${tokensOf(user)}/${id}`, { as: user }))).toEqual([404, 'TOKEN-0'])
    expect(await refusal(call('GET', `${tokensOf(user)}/0`, { as: user }))).toEqual([400, 'GEN-1'])
  })

  test('needs a proof of identity, to be made and to be revoked, unless the request has one', async () => {
    const user = await newUser()
    const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: user }))}` }
    const post = (body: object) => call('POST', tokensOf(user), { as: null, headers, body })
    expect(await refusal(post({ name: 'One' }))).toEqual([403, 'SIGN-IN-6'])
    expect(await refusal(post({}))).toEqual([403, 'SIGN-IN-6'])
    const { id } = await expectStatus(201, post({ name: 'One', oldPassword: user.password }))
    const path = `${tokensOf(user)}/${id}`
    const remove = (body?: object) => call('DELETE', path, { as: null, headers, ...(body && { body }) })
    expect(await refusal(remove())).toEqual([403, 'SIGN-IN-6'])
    await expectStatus(204, remove({ oldPassword: user.password }))
  })
})

describe('who manages a user', () => {
  test('sees and revokes the user’s tokens, but makes none', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW'] })
    const { enterpriseId } = user
    const manager = await newUser({ enterpriseId, privileges: ['USERS_MANAGE_USERS', 'USERS_VIEW'] })
    const { id, token } = await newAccessToken(user)
    const { collection } = await expectStatus(200, call('GET', tokensOf(user), { as: manager }))
    expect(collection).toMatchObject([{ id }])
    expect(await refusal(call('POST', tokensOf(user), { as: manager, body: { name: 'T' } }))).toEqual([
      403,
      'GEN-15',
    ])
    await expectStatus(204, call('DELETE', `${tokensOf(user)}/${id}`, { as: manager }))
    expect(await statusBy(token)).toBe(401)
  })

  test('cannot revoke those of a user who holds more, or of another enterprise', async () => {
    const user = await newUser()
    const { id } = await newAccessToken(user)
    const { enterpriseId } = user
    const less = await newUser({ enterpriseId, privileges: ['USERS_MANAGE_USERS'] })
    expect(await refusal(call('DELETE', `${tokensOf(user)}/${id}`, { as: less }))).toEqual([403, 'GEN-15'])
    const elsewhere = await newUser({
      privileges: allPrivileges.filter((name) => name !== 'USERS_MANAGE_OTHER_ENTERPRISES'),
    })
    expect((await call('GET', tokensOf(user), { as: elsewhere })).status).toBe(403)
    const viewer = await newUser({ enterpriseId, privileges: ['USERS_VIEW'] })
    expect((await call('GET', tokensOf(user), { as: viewer })).status).toBe(403)
  })
})

describe('a service account', () => {
  test('has no password, and acts by tokens that its manager makes', async () => {
    const { account, manager } = await newServiceAccount()
    expect(account).toMatchObject({ authType: 'SERVICE', firstLogin: false })
    const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
    const self = await expectStatus(200, call('GET', '/api/login', { as: null, headers: withToken(token) }))
    expect(self).toMatchObject({ id: account.id, authType: 'SERVICE' })
  })

  test('gets its tokens only from users who hold no less', async () => {
    const { account, manager } = await newServiceAccount({ privileges: ['MANAGE_DEVICES'] })
    const { enterpriseId } = manager
    const less = await newUser({ enterpriseId, privileges: ['USERS_MANAGE_USERS'] })
    const body = { name: 'T', privileges: [] }
    expect(await refusal(call('POST', tokensOf(account), { as: less, body }))).toEqual([403, 'GEN-15'])
  })

  const reached = async () => {
    const { id: enterpriseId } = await newEnterprise()
    const own = await newScope({ enterprises: [enterpriseId] })
    const maker = await newUser({
      enterpriseId,
      scopeId: own.id,
      privileges: ['USERS_MANAGE_USERS', 'USERS_VIEW'],
    })
    const role = await newRole({ privileges: ['USERS_VIEW'] })
    const { password: _none, ...body } = userBody({ role, scope: own.id })
    const account = await expectStatus(
      201,
      call('POST', usersOf(enterpriseId), { as: maker, body: { ...body, authType: 'SERVICE' } }),
    )
    const { token } = await newAccessToken({ ...account, password: '' }, {}, maker)
    expect(await statusBy(token)).toBe(200)
    return { own, maker, account, token }
  }
  type Reached = Awaited<ReturnType<typeof reached>>

  const put = async (user: { id: number }, rel: string, link: { rel: string; href: string }) => {
    const document = await readUser(user.id)
    return putUser(document, { links: relinked(document, rel, link) })
  }

  const beyond: Record<string, (given: Reached) => Promise<Response>> = {
    'gets a wider scope': ({ account }) => put(account, 'scope', scopeLink(1)),
    'moves to another enterprise': async ({ account }) => {
      const links = relinked(await readUser(account.id), 'scope')
      const to = enterpriseLink((await newEnterprise()).id)
      return putUser(await readUser(account.id), { links: relinked({ links }, 'enterprise', to) })
    },
    'gets a role with more privileges': async ({ account }) =>
      put(account, 'role', roleLink(await newRole({ privileges: ['MANAGE_DEVICES'] }))),
    'has a maker with fewer privileges': async ({ maker }) =>
      put(maker, 'role', roleLink(await newRole({ privileges: ['USERS_MANAGE_USERS'] }))),
    'has a maker with a narrower scope': async ({ maker }) =>
      put(maker, 'scope', scopeLink((await newScope({ enterprises: [maker.enterpriseId] })).id)),
    'has a maker who was deleted': ({ maker }) => call('DELETE', `${usersOf('_')}/${maker.id}`),
  }

  test.each(Object.entries(beyond))('that %s loses the tokens for good', async (how, change) => {
    const given = await reached()
    const { own, account, maker, token } = given
    expect((await change(given)).ok).toBe(true)
    expect(await statusBy(token)).toBe(401)
    const { collection } = await expectStatus(200, call('GET', tokensOf(account)))
    expect(collection).toEqual([])
    await put(account, 'scope', scopeLink(own.id))
    if (!how.includes('deleted')) await put(maker, 'scope', scopeLink(own.id))
    expect(await statusBy(token)).toBe(401)
  })

  test('that stays within reach of the maker keeps its tokens', async () => {
    const { own, account, maker, token } = await reached()
    await expectStatus(
      200,
      put(account, 'role', roleLink(await newRole({ privileges: ['USERS_MANAGE_USERS'] }))),
    )
    await expectStatus(200, put(maker, 'scope', scopeLink(1)))
    await expectStatus(200, putScope(own, { name: unique('Renamed') }))
    expect(await statusBy(token)).toBe(200)
  })

  test('is refused a password with USER-26', async () => {
    const { account, manager } = await newServiceAccount()
    const { id } = account
    const path = `/api/admin/enterprises/_/users/${id}`
    const password = 'twelve letters at least'
    const put = { as: manager, body: { ...account, password } }
    expect(await refusal(call('PUT', path, put))).toEqual([400, 'USER-26'])
    const nick = unique('robot').replace(' ', '-')
    const { links } = account
    const made = call('POST', `/api/admin/enterprises/${manager.enterpriseId}/users`, {
      as: manager,
      body: { nick, name: 'Robot', authType: 'SERVICE', password, links },
    })
    expect(await refusal(made)).toEqual([400, 'USER-26'])
    await expectStatus(200, call('PUT', path, { as: manager, body: { ...account, name: 'Renamed' } }))
  })

  test('cannot sign in: not by Basic, in the console, or by a link for a new password', async () => {
    const { account } = await newServiceAccount()
    const { nick } = account
    for (const password of ['', 'SERVICE', 'a password for tests'])
      expect((await call('GET', '/api/login', { as: { nick, password } })).status).toBe(401)
    const body = { nick, password: 'a password for tests' }
    expect((await call('POST', '/api/session', { as: null, body })).status).toBe(401)
  })

  test('is restored as a service account by an undo, without its tokens', async () => {
    const { account, manager } = await newServiceAccount()
    const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
    const path = `/api/admin/enterprises/_/users/${account.id}`
    await expectStatus(204, call('DELETE', path, { as: manager }))
    expect(await statusBy(token)).toBe(401)
    const { collection } = await expectStatus(
      200,
      call('GET', `/api/events?entity=user&entityid=${account.id}&action=delete`),
    )
    await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ id: account.id, authType: 'SERVICE' })
    expect(await statusBy(token)).toBe(401)
  })
})
