import { beforeAll, describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, unique } from '#lib/tools/testing/client'
import { createdUser, eventsOf, newRole, readUser } from '#lib/tools/testing/identity'
import {
  type Directory,
  ENTERPRISE_SCHEMA,
  newDirectory,
  searchOf,
  USER_SCHEMA,
} from '#lib/tools/testing/scim'
import { newScope } from '#lib/tools/testing/scopes'

let directory: Directory

beforeAll(async () => {
  directory = await newDirectory()
})

describe('the discovery (RFC 7644 §4)', () => {
  test('says what is there, and that Bulk and /Me are not', async () => {
    const config = await directory.expectFrom(200, 'GET', '/ServiceProviderConfig')
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { maxResults: 200 },
    })
    const types = await directory.expectFrom(200, 'GET', '/ResourceTypes')
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ])
    const schemas = await directory.expectFrom(200, 'GET', '/Schemas')
    expect(schemas.totalResults).toBe(3)
    for (const { id } of schemas.Resources)
      expect((await directory.expectFrom(200, 'GET', `/Schemas/${id}`)).id).toBe(id)
    expect((await directory.expectFrom(200, 'GET', '/ResourceTypes/Group')).schema).toMatch(/:Group$/)
    expect(await directory.refused('GET', '/Schemas/urn:nothing')).toEqual([404, undefined])
    expect(await directory.refused('POST', '/Bulk', { body: {} })).toEqual([501, undefined])
    expect(await directory.refused('GET', '/Me')).toEqual([501, undefined])
    expect(await directory.refused('GET', '/Nothing')).toEqual([404, undefined])
    expect(await directory.refused('PUT', '/Users', { body: {} })).toEqual([405, undefined])
  })
})

describe('creating a user', () => {
  test('stores what a directory sends, with the event of the operation', async () => {
    const fields = {
      externalId: unique('id'),
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      displayName: 'Babs',
      emails: [
        { value: 'home@example.com', type: 'home' },
        { value: 'Babs@Example.com', type: 'work', primary: true },
      ],
      locale: 'es-MX',
      active: true,
      title: 'ignored',
    }
    const made = await directory.create(fields)
    expect(made).toMatchObject({
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      externalId: fields.externalId,
      name: { formatted: 'Barbara Jensen', givenName: 'Barbara', familyName: 'Jensen' },
      displayName: 'Babs',
      emails: [{ value: 'Babs@Example.com', type: 'work', primary: true }],
      locale: 'es-MX',
      active: true,
      groups: [{ display: 'USER', type: 'direct' }],
      meta: { resourceType: 'User' },
    })
    expect(made).not.toHaveProperty('title')
    const user = await readUser(Number(made.id))
    expect(user).toMatchObject({ nick: made.userName, name: 'Barbara', surname: 'Jensen', locale: 'es_MX' })
    const events = await eventsOf('user', user.id)
    expect(events).toMatchObject([{ action: 'create', user: directory.user.nick }])
    expect(events[0].links.map(({ rel }: { rel: string }) => rel)).toContain('undo')
  })

  test('answers 201 with Location, a version, and the media type of SCIM', async () => {
    const body = { userName: unique('scim').replace(' ', '-') }
    const response = await directory.send('POST', '/Users', { body })
    const made = await expectStatus(201, response)
    expect(response.headers.get('content-type')).toBe('application/scim+json')
    expect(response.headers.get('location')).toBe(made.meta.location)
    expect(response.headers.get('etag')).toBe(made.meta.version)
    expect(made.displayName).toBe(body.userName)
    const known = { headers: { 'if-none-match': made.meta.version } }
    expect((await directory.send('GET', `/Users/${made.id}`, known)).status).toBe(304)
  })

  test('gives no password that anybody knows, unless one is sent', async () => {
    const password = 'a long enough password'
    const made = await directory.create({ password })
    expect(made).not.toHaveProperty('password')
    const as = { nick: made.userName, password }
    expect((await call('GET', '/api/login', { as })).status).toBe(200)
    expect(await directory.refused('POST', '/Users', { body: { userName: 'x', password: 'short' } })).toEqual(
      [400, 'invalidValue'],
    )
  })

  test('a taken user name or external id is uniqueness; the other directory has external ids of its own', async () => {
    const externalId = unique('id')
    const made = await directory.create({ externalId })
    const taken = { body: { userName: made.userName } }
    expect(await directory.refused('POST', '/Users', taken)).toEqual([409, 'uniqueness'])
    const again = { body: { userName: unique('u').replace(' ', '-'), externalId } }
    expect(await directory.refused('POST', '/Users', again)).toEqual([409, 'uniqueness'])
    const other = await newDirectory()
    await other.create({ externalId })
    expect(await other.found('/Users', `externalId eq "${externalId}"`)).toHaveLength(1)
  })

  test('faulty values are invalidValue, and a document that is none is invalidSyntax', async () => {
    const wrong = [
      {},
      { userName: 'a b:c' },
      { userName: 'x', active: 'perhaps' },
      { userName: 'x', name: 'text' },
    ]
    for (const body of [
      ...wrong,
      { userName: 'x', emails: [{ value: 'no address' }] },
      { userName: 'x', locale: '!' },
    ])
      expect([body, await directory.refused('POST', '/Users', { body })]).toEqual([
        body,
        [400, 'invalidValue'],
      ])
    expect(await directory.refused('POST', '/Users', { body: '{' })).toEqual([400, 'invalidSyntax'])
    expect(await directory.refused('POST', '/Users', { body: [] })).toEqual([400, 'invalidSyntax'])
    const headers = { 'content-type': 'application/xml' }
    expect(await directory.refused('POST', '/Users', { body: '<a/>', headers })).toEqual([415, undefined])
    expect(await directory.refused('GET', '/Users', { headers: { accept: 'application/xml' } })).toEqual([
      406,
      undefined,
    ])
  })

  test('organization names an enterprise that the caller sees', async () => {
    const enterprise = await newEnterprise()
    const made = await directory.create({ [ENTERPRISE_SCHEMA]: { organization: enterprise.name } })
    expect(made[ENTERPRISE_SCHEMA]).toEqual({ organization: enterprise.name })
    const limited = await newDirectory({ scopeId: (await newScope()).id })
    const body = { userName: 'x', [ENTERPRISE_SCHEMA]: { organization: enterprise.name } }
    expect(await limited.refused('POST', '/Users', { body })).toEqual([400, 'invalidValue'])
    expect((await limited.create())[ENTERPRISE_SCHEMA].organization).not.toBe(enterprise.name)
  })
})

describe('who may', () => {
  test('without credentials it is 401, without the privilege 403, in SCIM', async () => {
    const response = await call('GET', '/scim/v2/Users', { as: null })
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/scim+json'])
    expect(response.headers.get('www-authenticate')).toMatch(/^Token /)
    expect(await response.json()).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
    })
    const reader = await newDirectory({}, ['USERS_VIEW'])
    expect((await reader.send('GET', '/Users?count=1')).status).toBe(200)
    expect(await reader.refused('POST', '/Users', { body: { userName: 'x' } })).toEqual([403, undefined])
    expect(await reader.refused('GET', '/Groups')).toEqual([403, undefined])
    const none = await newDirectory({}, [])
    expect(await none.refused('GET', '/Users')).toEqual([403, undefined])
  })

  test('nobody outside of the sight of the caller exists', async () => {
    const limited = await newDirectory({ scopeId: (await newScope()).id })
    const hidden = await directory.create()
    expect(await limited.refused('GET', `/Users/${hidden.id}`)).toEqual([404, undefined])
    expect(await limited.refused('DELETE', `/Users/${hidden.id}`)).toEqual([404, undefined])
    expect(await limited.refused('GET', '/Users/none')).toEqual([404, undefined])
    expect(await limited.found('/Users', `userName eq "${hidden.userName}"`)).toEqual([])
    const { totalResults } = await limited.expectFrom(200, 'GET', '/Users?count=0')
    expect(totalResults).toBe(1)
  })

  test('the user of the token cannot be changed by it, nor one who holds more', async () => {
    const own = { body: { userName: directory.user.nick } }
    expect(await directory.refused('PUT', `/Users/${directory.user.id}`, own)).toEqual([403, undefined])
    const enterprise = directory.user.enterpriseId
    const manager = await newDirectory({ enterpriseId: enterprise }, ['USERS_VIEW', 'USERS_MANAGE_USERS'])
    const role = await newRole({ privileges: ['USERS_MANAGE_ROLES'] })
    const strong = await createdUser(enterprise, { role, nick: unique('strong').replace(' ', '-') })
    const body = { userName: strong.nick, active: false }
    expect(await manager.refused('PUT', `/Users/${strong.id}`, { body })).toEqual([403, undefined])
  })
})

describe('changing a user', () => {
  test('PUT replaces attributes, and keeps active, locale and organization that are not sent', async () => {
    const made = await directory.create({
      externalId: unique('id'),
      emails: [{ value: 'a@example.com' }],
      locale: 'es',
      active: false,
    })
    const body = { id: 'ignored', userName: made.userName, name: { formatted: 'New Name' } }
    const put = await directory.expectFrom(200, 'PUT', `/Users/${made.id}`, { body })
    expect(put).toMatchObject({
      name: { givenName: 'New Name' },
      displayName: 'New Name',
      locale: 'es',
      active: false,
    })
    expect(put).not.toHaveProperty('emails')
    expect(put).not.toHaveProperty('externalId')
    expect(await directory.expectFrom(200, 'GET', `/Users/${made.id}`)).toEqual(put)
    const events = await eventsOf('user', Number(made.id))
    expect(events).toHaveLength(2)
    await directory.expectFrom(200, 'PUT', `/Users/${made.id}`, { body })
    expect(await eventsOf('user', Number(made.id))).toHaveLength(2)
  })

  test('If-Match of another version is 412', async () => {
    const made = await directory.create()
    const stale = {
      body: { userName: made.userName, displayName: 'Later' },
      headers: { 'if-match': made.meta.version },
    }
    const put = await directory.expectFrom(200, 'PUT', `/Users/${made.id}`, stale)
    expect(put.meta.version).not.toBe(made.meta.version)
    expect(await directory.refused('PUT', `/Users/${made.id}`, stale)).toEqual([412, undefined])
    expect(await directory.refused('DELETE', `/Users/${made.id}`, { headers: stale.headers })).toEqual([
      412,
      undefined,
    ])
    const strong = { 'if-match': put.meta.version.replace('W/', '') }
    expect((await directory.send('DELETE', `/Users/${made.id}`, { headers: strong })).status).toBe(204)
  })

  test('a deactivated user is refused at the next request, and a deleted one is gone', async () => {
    const password = 'a long enough password'
    const made = await directory.create({ password })
    const as = { nick: made.userName, password }
    const signed = await call('GET', '/api/login', { as })
    const headers = { authorization: `Token ${signed.headers.get('x-service-token')}` }
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(200)
    const change = { op: 'Replace', path: 'active', value: 'False' }
    const after = await expectStatus(200, directory.patch(`/Users/${made.id}`, change))
    expect(after.active).toBe(false)
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    expect((await directory.send('DELETE', `/Users/${made.id}`)).status).toBe(204)
    expect(await directory.refused('GET', `/Users/${made.id}`)).toEqual([404, undefined])
    expect(await directory.refused('DELETE', `/Users/${made.id}`)).toEqual([404, undefined])
    await directory.create({ userName: made.userName })
  })

  test('without the role of SCIM_DEFAULT_ROLE in sight no user is created', async () => {
    const limited = await newDirectory({ scopeId: (await newScope()).id })
    const role = await expectStatus(200, call('GET', '/api/admin/roles?has=user&limit=0'))
    expect(role.collection.some(({ name }: { name: string }) => name === 'USER')).toBe(true)
    expect((await limited.create()).groups[0].display).toBe('USER')
  })
})

describe('attributes', () => {
  test('are chosen or left out, by any case, with or without their schema', async () => {
    const made = await directory.create({ emails: [{ value: 'c@example.com' }] })
    const get = (query: string) => directory.expectFrom(200, 'GET', `/Users/${made.id}?${query}`)
    expect(await get('attributes=USERNAME,emails.value')).toEqual({
      schemas: made.schemas,
      id: made.id,
      userName: made.userName,
      emails: [{ value: 'c@example.com' }],
    })
    expect(await get(`attributes=${USER_SCHEMA}:active,${ENTERPRISE_SCHEMA}:organization`)).toEqual({
      schemas: made.schemas,
      id: made.id,
      active: true,
      [ENTERPRISE_SCHEMA]: made[ENTERPRISE_SCHEMA],
    })
    const { groups: _groups, meta: _meta, name, ...rest } = made
    expect(await get('excludedAttributes=groups,meta,name.formatted,id')).toEqual({
      ...rest,
      name: { givenName: name.givenName },
    })
  })

  test('a search by a message is the search by an address', async () => {
    const made = await directory.create()
    const body = searchOf({
      filter: `userName eq "${made.userName}"`,
      attributes: ['userName'],
      startIndex: 1,
      count: 10,
    })
    const one = { schemas: made.schemas, id: made.id, userName: made.userName }
    for (const path of ['/Users/.search', '/.search']) {
      const found = await directory.expectFrom(200, 'POST', path, { body })
      expect(found).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 1,
        itemsPerPage: 1,
        startIndex: 1,
        Resources: [one],
      })
    }
    expect(await directory.refused('POST', '/Users/.search', { body: { count: 'many' } })).toEqual([
      400,
      'invalidValue',
    ])
  })
})
