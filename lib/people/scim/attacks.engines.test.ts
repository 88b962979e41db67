import { beforeAll, describe, expect, test } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { createdUser, newRole, readUser } from '#lib/tools/testing/identity'
import { type Directory, ENTERPRISE_SCHEMA, newDirectory, patchOf, searchOf } from '#lib/tools/testing/scim'
import { newScope } from '#lib/tools/testing/scopes'
import { cookiesOf, pairOf } from '#lib/tools/testing/session'

/* What the token of a directory could be used for beyond its privileges and its sight, and messages that cost more than they should. */

let directory: Directory

beforeAll(async () => {
  directory = await newDirectory()
})

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

describe('a message costs little', () => {
  const many = (count: number, text: string) => Array.from({ length: count }, (_, index) => text + index)
  const filter = many(20, 'value co "').join('" or ')

  test('with many e-mail addresses, operations and filters on them', async () => {
    const { id } = await directory.create()
    const refused = (...operations: object[]) =>
      directory.refused('PATCH', `/Users/${id}`, { body: patchOf(...operations) })
    const add = (value: string[]) => ({ op: 'add', path: 'emails', value })
    const set = { op: 'add', path: `emails[${filter}"].type`, value: 'x' }
    expect(await refused(add(many(21, 'a@example.com')))).toEqual([400, 'invalidValue'])
    expect(await refused(add(many(20, 'a@example.com')), add(['one@more.example']))).toEqual([
      400,
      'invalidValue',
    ])
    expect(await refused(...Array.from({ length: 101 }, () => set))).toEqual([413, undefined])
    expect(await refused({ ...set, path: `emails[${'x'.repeat(600)}].type` })).toEqual([400, 'invalidPath'])
    const most = Array.from({ length: 99 }, () => ({ op: 'remove', path: `emails[${filter}"].type` }))
    const message = [add(many(20, 'a@example.com')), ...most]
    expect(await timed(() => directory.patch(`/Users/${id}`, ...message))).toBeLessThan(1000)
  })

  test('with many members, each by an operation of its own', async () => {
    const { id } = await directory.expectFrom(201, 'POST', '/Groups', {
      body: { displayName: unique('Group') },
    })
    const ids = Array.from({ length: 12_000 }, (_, index) => String(900_000_000 + index))
    const leave = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` })
    const operations = [{ op: 'add', path: 'members', value: ids }, ...ids.slice(0, 999).map(leave)]
    const refused = directory.refused('PATCH', `/Groups/${id}`, { body: patchOf(...operations) })
    expect(await timed(() => refused)).toBeLessThan(1500)
    expect(await refused).toEqual([400, 'invalidValue'])
  })

  test('with many filters on the members of a group, each of which would be a query', async () => {
    const { id } = await directory.expectFrom(201, 'POST', '/Groups', {
      body: { displayName: unique('Group') },
    })
    const operations = Array.from({ length: 100 }, () => ({
      op: 'remove',
      path: 'members[display co "a" or display co "b"]',
    }))
    expect(await directory.refused('PATCH', `/Groups/${id}`, { body: patchOf(...operations) })).toEqual([
      413,
      undefined,
    ])
  })

  test('with filters that are long or deep, and names that every object has', async () => {
    const refused = (query: string) => directory.refused('GET', `/Users?${query}`)
    const filter = (text: string) => refused(`filter=${encodeURIComponent(text)}`)
    expect(await filter(`userName eq "${'x'.repeat(10_000)}"`)).toEqual([400, 'invalidFilter'])
    expect(await filter(`${'('.repeat(50)}userName pr${')'.repeat(50)}`)).toEqual([400, 'invalidFilter'])
    for (const name of ['constructor', 'constructor.name'])
      for (const condition of ['pr', 'eq "x"', 'co "x"', 'gt "x"', 'eq null'])
        expect([name, condition, await filter(`${name} ${condition}`)]).toEqual([
          name,
          condition,
          [400, 'invalidFilter'],
        ])
    expect(await filter('constructor[value eq "x"]')).toEqual([400, 'invalidFilter'])
    for (const name of ['constructor', '__proto__'])
      expect([name, await refused(`sortBy=${name}`)]).toEqual([name, [400, 'invalidValue']])
    for (const name of ['constructor', '__proto__'])
      await directory.expectFrom(200, 'GET', `/Users?count=1&attributes=${name}`)
  })

  test('with many conditions, or many searches of members', async () => {
    const filtered = (path: string, count: number, condition: string) => {
      const filter = Array.from({ length: count }, () => condition).join(' or ')
      return directory.send('GET', `${path}?count=1&filter=${encodeURIComponent(filter)}`)
    }
    const statuses = async (path: string, condition: string, most: number) =>
      (await Promise.all([most, most + 1].map((count) => filtered(path, count, condition)))).map(
        ({ status }) => status,
      )
    expect(await statuses('/Users', 'userName co "x"', 50)).toEqual([200, 400])
    expect(await statuses('/Groups', 'members[display co "x"]', 10)).toEqual([200, 400])
    expect(await statuses('/Groups', 'members.display co "x"', 10)).toEqual([200, 400])
  })

  test('with thousands of names of attributes', async () => {
    const body = searchOf({ attributes: many(5000, 'name.a') })
    expect(await directory.refused('POST', '/Users/.search', { body })).toEqual([400, 'invalidValue'])
  })

  test('with paths that are no attributes', async () => {
    const { id } = await directory.create()
    const patch = (path: string) =>
      directory.refused('PATCH', `/Users/${id}`, { body: patchOf({ op: 'add', path, value: 'x' }) })
    for (const path of ['__proto__', 'constructor.prototype', 'name.__proto__', 'emails[__proto__ eq "x"]'])
      expect([path, await patch(path)]).toEqual([path, [400, 'invalidPath']])
    const body = `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"add","value":{"__proto__":{"active":false}}}]}`
    expect(await directory.refused('PATCH', `/Users/${id}`, { body })).toEqual([400, 'invalidPath'])
    expect((await readUser(Number(id))).active).toBe(true)
  })
})

describe('an organization', () => {
  test('is the enterprise of exactly this name, where others differ only in case', async () => {
    const name = unique('Organization')
    const [lower, upper] = [await newEnterprise(), await newEnterprise()]
    const rename = async (id: number, to: string) => {
      const document = await expectStatus(200, call('GET', `/api/admin/enterprises/${id}`))
      await expectStatus(
        200,
        call('PUT', `/api/admin/enterprises/${id}`, { body: { ...document, name: to } }),
      )
    }
    await rename(lower.id, name.toLowerCase())
    await rename(upper.id, name.toUpperCase())
    const within = (organization: string) => ({ [ENTERPRISE_SCHEMA]: { organization } })
    for (const each of [name.toLowerCase(), name.toUpperCase()]) {
      const made = await directory.create(within(each))
      expect(made[ENTERPRISE_SCHEMA]).toEqual({ organization: each })
    }
    const made = await directory.create(within(name.toLowerCase()))
    const path = `/Users/${made.id}`
    const moved = await directory.patch(path, {
      op: 'replace',
      path: `${ENTERPRISE_SCHEMA}:organization`,
      value: name.toUpperCase(),
    })
    expect((await expectStatus(200, moved))[ENTERPRISE_SCHEMA].organization).toBe(name.toUpperCase())
    // Neither is meant by it.
    const body = { userName: unique('u').replace(' ', '-'), ...within(name) }
    expect(await directory.refused('POST', '/Users', { body })).toEqual([400, 'invalidValue'])
  })
})

describe('a directory without USERS_VIEW', () => {
  test('learns nothing of the members of a group, not even by its version', async () => {
    const blind = await newDirectory({}, ['USERS_VIEW_PRIVILEGES'])
    const role = await newRole()
    const version = async () => (await blind.expectFrom(200, 'GET', `/Groups/${role}`)).meta.version
    const before = await version()
    await createdUser(blind.user.enterpriseId, { role })
    expect(await version()).toBe(before)
    expect((await blind.expectFrom(200, 'GET', `/Groups/${role}`)).members).toEqual([])
  })
})

describe('a directory that may move users, but not read roles', () => {
  test('learns no name of a role by a change', async () => {
    const name = unique('Secret')
    const role = await newRole({ name })
    const mover = await newDirectory({}, ['USERS_VIEW', 'USERS_MANAGE_USERS'])
    expect((await mover.send('GET', `/Groups/${role}`)).status).toBe(403)
    const body = patchOf({ op: 'remove', path: 'members[value eq "999999999"]' })
    const answer = await mover.send('PATCH', `/Groups/${role}?attributes=displayName`, { body })
    expect([answer.status, (await answer.text()).includes(name)]).toEqual([204, false])
  })
})

describe('a directory with limited privileges', () => {
  const some: Privilege[] = ['USERS_VIEW', 'USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_USERS', 'VDC_ENUMERATE']
  const limited = (person: Parameters<typeof newUser>[0] = {}) => newDirectory(person, some)
  const off = { op: 'replace', path: 'active', value: false }
  const statusOf = async (answer: Promise<Response>) => (await answer).status

  test('changes nobody who may do more, nobody elsewhere, and nobody unseen', async () => {
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const { patch, send, user } = await limited({ enterpriseId: enterprise.id, scopeId: scope.id })
    const above = await newUser({ enterpriseId: enterprise.id })
    const wider = await newUser({ enterpriseId: enterprise.id, privileges: [] })
    const stranger = await newUser({ privileges: [] })
    const peer = await newUser({ enterpriseId: enterprise.id, scopeId: scope.id, privileges: ['USERS_VIEW'] })
    expect(await statusOf(patch(`/Users/${above.id}`, off))).toBe(403)
    expect(await statusOf(patch(`/Users/${wider.id}`, off))).toBe(403)
    expect(await statusOf(patch(`/Users/${stranger.id}`, off))).toBe(404)
    expect(await statusOf(send('DELETE', `/Users/${stranger.id}`))).toBe(404)
    expect(await statusOf(patch(`/Users/${user.id}`, off))).toBe(403)
    expect(await statusOf(send('DELETE', `/Users/${user.id}`))).toBe(403)
    expect(await statusOf(patch(`/Users/${peer.id}`, off))).toBe(200)
  })

  test('moves nobody into a role that may do more, and itself into none', async () => {
    const enterprise = await newEnterprise()
    const place = {
      enterpriseId: enterprise.id,
      scopeId: (await newScope({ enterprises: [enterprise.id] })).id,
    }
    const { patch, user } = await limited(place)
    const peer = await newUser({ ...place, privileges: [] })
    const add = (id: number) => ({ op: 'add', path: 'members', value: [{ value: String(id) }] })
    const [less, more] = [
      await newRole({ privileges: ['VDC_ENUMERATE'] }),
      await newRole({ privileges: ['PHYS_DC_ENUMERATE'] }),
    ]
    expect(await statusOf(patch(`/Groups/${more}`, add(peer.id)))).toBe(403)
    expect(await statusOf(patch('/Groups/1', add(peer.id)))).toBe(403)
    expect(await statusOf(patch(`/Groups/${less}`, add(user.id)))).toBe(403)
    expect(await statusOf(patch(`/Groups/${less}`, add(peer.id)))).toBe(204)
    // A role is no user and a user no role, even with the same id.
    expect(await statusOf(patch(`/Groups/${peer.id}9999`, add(peer.id)))).toBe(404)
    expect(await statusOf(patch(`/Users/${less}9999`, off))).toBe(404)
  })

  test('does not say whether an unseen enterprise, role or user is there', async () => {
    const hidden = await newEnterprise()
    const other = await newUser({ enterpriseId: hidden.id, privileges: [] })
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const { send, expectFrom } = await limited({ enterpriseId: enterprise.id, scopeId: scope.id })
    const make = async (organization: string) =>
      (
        await send('POST', '/Users', {
          body: { userName: 'nobody-yet', [ENTERPRISE_SCHEMA]: { organization } },
        })
      ).text()
    expect(await make(hidden.name)).toBe(await make(unique('Nothing')))
    const member = async (value: string) =>
      (await send('PATCH', '/Groups/1', { body: patchOf({ op: 'add', path: 'members', value }) })).text()
    expect((await member(String(other.id))).replace(String(other.id), 'X')).toBe(
      (await member('999999999')).replace('999999999', 'X'),
    )
    for (const filter of [
      `userName eq "${other.nick}"`,
      `organization eq "${hidden.name}"`,
      `id eq "${other.id}"`,
    ]) {
      const answer = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      if (answer.status === 200) expect((await answer.json()).totalResults).toBe(0)
      else expect(answer.status).toBe(400)
    }
    expect(
      (
        await expectFrom(
          200,
          'GET',
          `/Users?filter=${encodeURIComponent(`${ENTERPRISE_SCHEMA}:organization eq "${hidden.name}"`)}`,
        )
      ).totalResults,
    ).toBe(0)
  })
})

describe('names that look alike', () => {
  test('make no second user', async () => {
    const nick = unique('zora').replace(' ', '-')
    await directory.create({ userName: nick })
    for (const userName of [
      nick.toUpperCase(),
      nick.replace('o', 'о'),
      `${nick}\u200b`,
      nick.replace('z', 'ｚ'),
    ]) {
      const [status] = await directory.refused('POST', '/Users', { body: { userName } })
      expect([userName, [400, 409].includes(Number(status))]).toEqual([userName, true])
    }
  })
})

describe('a document', () => {
  const nick = () => unique('u').replace(' ', '-')

  test('changes the user of its path, whatever id, groups, meta or password hash it names', async () => {
    const [one, two] = [await directory.create(), await directory.create()]
    const body = {
      ...one,
      id: two.id,
      userName: nick(),
      groups: [{ value: '1', display: 'CLOUD_ADMIN' }],
      meta: { location: two.meta.location, version: 'x' },
      roles: [{ value: 'CLOUD_ADMIN' }],
      entitlements: [{ value: 'CLOUD_ADMIN' }],
      password_hash: 'x',
      locked: true,
    }
    const after = await directory.expectFrom(200, 'PUT', `/Users/${one.id}`, { body })
    expect(after).toMatchObject({ id: one.id, userName: body.userName, groups: [{ display: 'USER' }] })
    expect(await directory.expectFrom(200, 'GET', `/Users/${two.id}`)).toEqual(two)
    expect(await readUser(Number(one.id))).toMatchObject({ locked: false })
  })

  test('has no line ends in what identifies a user or is an address', async () => {
    const evil = 'a@example.com\r\nBcc: b@example.com'
    for (const fields of [
      { displayName: evil, name: { givenName: 'Given' } },
      { emails: [{ value: evil }] },
      { externalId: evil },
      { locale: evil },
      { userName: evil },
    ]) {
      const body = { userName: nick(), ...fields }
      expect([fields, await directory.refused('POST', '/Users', { body })]).toEqual([
        fields,
        [400, 'invalidValue'],
      ])
    }
  })

  test('takes the last administrators neither their group nor its name', async () => {
    const refusedOf = async (method: string, body?: object) =>
      (await directory.send(method, '/Groups/1', { ...(body && { body }) })).status
    expect(await refusedOf('PUT', { displayName: 'CLOUD_ADMIN', members: [] })).toBeGreaterThan(399)
    expect(await refusedOf('PATCH', patchOf({ op: 'remove', path: 'members' }))).toBeGreaterThan(399)
    expect(await refusedOf('PUT', { displayName: 'Other' })).toBeGreaterThan(399)
    expect(await refusedOf('DELETE')).toBeGreaterThan(399)
    expect((await directory.expectFrom(200, 'GET', '/Groups/1')).displayName).toBe('CLOUD_ADMIN')
  })

  test('with the version of before is refused, also of two at the same moment', async () => {
    const { id, meta } = await directory.create()
    const headers = { 'if-match': meta.version }
    const change = (familyName: string) =>
      directory.send('PATCH', `/Users/${id}`, {
        body: patchOf({ op: 'replace', path: 'name.familyName', value: familyName }),
        headers,
      })
    const statuses = (await Promise.all(['One', 'Two'].map(change))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 412])
  })
})

test('a session of the console is no credential of other sites for SCIM', async () => {
  const { user } = directory
  const signedIn = await call('POST', '/api/session', {
    as: null,
    body: { nick: user.nick, password: user.password },
  })
  const cookie = pairOf(cookiesOf(signedIn).console)
  const type = { 'content-type': 'application/scim+json' }
  const send = (headers: object) =>
    call('POST', '/scim/v2/Users', {
      as: null,
      body: { userName: unique('u').replace(' ', '-') },
      headers: { ...type, cookie, ...headers },
    })
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
})
