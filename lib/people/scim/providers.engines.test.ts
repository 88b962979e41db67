import { beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, newEnterprise, unique } from '#lib/tools/testing/client'
import {
  type Directory,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  newDirectory,
  patchOf,
  USER_SCHEMA,
} from '#lib/tools/testing/scim'
import { newScope } from '#lib/tools/testing/scopes'

/* The requests that Microsoft Entra and Okta send, in the order and with the peculiarities that their documentation shows. */

let directory: Directory

beforeAll(async () => {
  directory = await newDirectory()
})

const filtered = (path: string, filter: string, more = '') =>
  directory.expectFrom(200, 'GET', `${path}?filter=${encodeURIComponent(filter)}${more}`)

const word = (name: string) => unique(name).replace(' ', '-')

describe('Microsoft Entra', () => {
  test('the connection test looks for a user who does not exist', async () => {
    const found = await filtered('/Users', `userName eq "${crypto.randomUUID()}"`)
    expect(found).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1 })
  })

  test('a user is looked for, created, changed, disabled, and deleted', async () => {
    const nick = word('entra')
    const mail = `${nick}@testuser.com`
    const made = await directory.expectFrom(201, 'POST', '/Users', {
      body: {
        schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
        externalId: word('0a21f0f2-8d2a-4f8e-bf98'),
        userName: nick,
        active: true,
        emails: [{ primary: true, type: 'work', value: mail }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
        [ENTERPRISE_SCHEMA]: { department: 'Sales', employeeNumber: '7' },
        addresses: [{ type: 'work', formatted: '1 Street' }],
      },
    })
    const path = `/Users/${made.id}`
    const changed = await expectStatus(
      200,
      directory.patch(
        path,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated-${mail}` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'displayName', value: 'Shown' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Town' },
        { op: 'Replace', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Other' },
      ),
    )
    expect(changed).toMatchObject({
      emails: [{ value: `updated-${mail}` }],
      name: { familyName: 'updatedFamilyName' },
      displayName: 'Shown',
    })
    const renamed = await expectStatus(
      200,
      directory.patch(path, { op: 'Replace', path: 'userName', value: word('renamed') }),
    )
    expect((await filtered('/Users', `userName eq "${renamed.userName}"`)).Resources).toEqual([renamed])
    expect((await filtered('/Users', `externalId eq "${made.externalId}"`)).totalResults).toBe(1)
    const disabled = await expectStatus(
      200,
      directory.patch(path, { op: 'Replace', path: 'active', value: false }),
    )
    expect(disabled.active).toBe(false)
    const old = await expectStatus(
      200,
      directory.patch(path, { op: 'Replace', path: 'active', value: 'True' }),
    )
    expect(old.active).toBe(true)
    expect((await directory.send('DELETE', path)).status).toBe(204)
    expect(await directory.refused('GET', path)).toEqual([404, undefined])
  })

  test('a group is looked for by displayName without members, created, renamed, and gets and loses members', async () => {
    const displayName = unique('Entra')
    const query = '&excludedAttributes=members'
    expect((await filtered('/Groups', `displayName eq "${displayName}"`, query)).totalResults).toBe(0)
    const group = await directory.expectFrom(201, 'POST', '/Groups', {
      body: {
        schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: word('8aa1a0c0-c4c3-4bc0-b4a5'),
        displayName,
        meta: { resourceType: 'Group' },
        members: [],
      },
    })
    const path = `/Groups/${group.id}`
    const { id } = await directory.create()
    const member = [{ $ref: null, value: id }]
    expect((await directory.patch(path, { op: 'Add', path: 'members', value: member })).status).toBe(204)
    const [found] = (await filtered('/Groups', `displayName eq "${displayName}"`, query)).Resources
    expect(found).not.toHaveProperty('members')
    expect((await directory.expectFrom(200, 'GET', path)).members).toMatchObject([
      { value: id, type: 'User' },
    ])
    expect(
      (await directory.patch(path, { op: 'Replace', path: 'displayName', value: `${displayName} 2` })).status,
    ).toBe(204)
    expect((await directory.patch(path, { op: 'Remove', path: 'members', value: member })).status).toBe(204)
    expect((await directory.patch(path, { op: 'Remove', path: 'members', value: member })).status).toBe(204)
    expect(await directory.expectFrom(200, 'GET', path)).toMatchObject({
      displayName: `${displayName} 2`,
      members: [],
    })
    expect((await directory.expectFrom(200, 'GET', `/Users/${id}`)).groups).toMatchObject([
      { display: 'USER' },
    ])
    expect((await directory.send('DELETE', path)).status).toBe(204)
  })
})

describe('Okta', () => {
  const okta = {
    headers: { accept: 'application/scim+json', 'content-type': 'application/scim+json; charset=utf-8' },
  }

  test('a user is looked for, created, read, replaced and deactivated', async () => {
    const userName = word('okta')
    const found = await filtered('/Users', `userName eq "${userName}"`, '&startIndex=1&count=100')
    expect(found.totalResults).toBe(0)
    const body = {
      schemas: [USER_SCHEMA],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: `${userName}@okta.local`, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: word('00ujl29u0le5T6Aj10h7'),
      groups: [],
      password: '1mz050nq long enough',
      active: true,
    }
    const made = await directory.expectFrom(201, 'POST', '/Users', { ...okta, body })
    const path = `/Users/${made.id}`
    expect(await directory.expectFrom(200, 'GET', path, okta)).toEqual(made)
    const { password: _password, ...rest } = body
    const put = {
      ...rest,
      id: made.id,
      name: { givenName: 'Another', familyName: 'User' },
      meta: { resourceType: 'User' },
    }
    expect(await directory.expectFrom(200, 'PUT', path, { ...okta, body: put })).toMatchObject({
      name: { givenName: 'Another' },
    })
    const off = await directory.expectFrom(200, 'PATCH', path, {
      ...okta,
      body: patchOf({ op: 'replace', value: { active: false } }),
    })
    expect(off.active).toBe(false)
  })

  test('a group is created with members, renamed by its id, and its members are replaced', async () => {
    const displayName = unique('Okta')
    const [one, two] = [await directory.create(), await directory.create()]
    const memberOf = (user: { id: string; userName: string }) => ({ value: user.id, display: user.userName })
    const group = await directory.expectFrom(201, 'POST', '/Groups', {
      ...okta,
      body: { schemas: [GROUP_SCHEMA], displayName, members: [memberOf(one)] },
    })
    expect(group.members).toMatchObject([{ value: one.id }])
    const path = `/Groups/${group.id}`
    const rename = { op: 'replace', value: { id: group.id, displayName: `${displayName} 2` } }
    expect((await directory.patch(path, rename)).status).toBe(204)
    const remove = { op: 'remove', path: `members[value eq "${one.id}"]` }
    const add = { op: 'add', path: 'members', value: [memberOf(two)] }
    expect((await directory.patch(path, remove, add)).status).toBe(204)
    expect((await directory.expectFrom(200, 'GET', path)).members).toMatchObject([{ value: two.id }])
    expect(
      (await directory.patch(path, { op: 'replace', path: 'members', value: [memberOf(one), memberOf(two)] }))
        .status,
    ).toBe(204)
    const read = await directory.expectFrom(200, 'GET', `${path}?attributes=members`)
    expect(read.members.map(({ value }: { value: string }) => value)).toEqual([one.id, two.id])
    expect((await filtered('/Groups', `members[value eq "${one.id}"]`)).Resources).toHaveLength(1)
    expect((await directory.send('DELETE', path)).status).toBe(204)
  })
})

/* Keycloak 26.8 has a SCIM server, and sends nothing itself. These are the requests of the extension for it that the others come from (libre.sh, UnboundID's client). */
describe('Keycloak with an extension that provisions', () => {
  let directory: Directory
  const keycloak = { headers: { accept: 'application/scim+json, application/json' } }

  beforeAll(async () => {
    // It reads the whole list: of one enterprise.
    const { id } = await newEnterprise()
    const scope = await newScope({ enterprises: [id] })
    directory = await newDirectory({ enterpriseId: id, scopeId: scope.id })
  })

  test('a user is created without a name, replaced with a relative location, listed and deleted', async () => {
    const userName = word('keycloak')
    const body = {
      schemas: [USER_SCHEMA],
      externalId: crypto.randomUUID(),
      userName,
      displayName: 'Given Family',
      emails: [{ primary: true, value: `${userName}@example.com` }],
      active: true,
      roles: [],
    }
    const made = await directory.expectFrom(201, 'POST', '/Users', { ...keycloak, body })
    expect(made).toMatchObject({ externalId: body.externalId, displayName: 'Given Family', active: true })
    const path = `/Users/${made.id}`
    const put = {
      ...body,
      id: made.id,
      displayName: 'Given Other',
      active: false,
      roles: [{ value: 'viewer' }],
      meta: { location: `Users/${made.id}` },
    }
    expect(await directory.expectFrom(200, 'PUT', path, { ...keycloak, body: put })).toMatchObject({
      displayName: 'Given Other',
      active: false,
    })
    const { Resources } = await directory.expectFrom(200, 'GET', '/Users', keycloak)
    expect(Resources.map(({ externalId }: { externalId?: string }) => externalId)).toContain(body.externalId)
    expect((await directory.send('DELETE', path, keycloak)).status).toBe(204)
  })

  test('a group is created with its members, and replaced with those that are left', async () => {
    const [one, two] = [await directory.create(), await directory.create()]
    const memberOf = ({ id }: { id: string }) => ({ value: id, $ref: `Users/${id}` })
    const body = {
      schemas: [GROUP_SCHEMA],
      externalId: crypto.randomUUID(),
      displayName: unique('Keycloak'),
      members: [memberOf(one), memberOf(two)],
    }
    const made = await directory.expectFrom(201, 'POST', '/Groups', { ...keycloak, body })
    const path = `/Groups/${made.id}`
    const put = { ...body, id: made.id, members: [memberOf(two)], meta: { location: `Groups/${made.id}` } }
    const { members } = await directory.expectFrom(200, 'PUT', path, { ...keycloak, body: put })
    expect(members).toMatchObject([{ value: two.id }])
    expect((await directory.send('DELETE', path, keycloak)).status).toBe(204)
  })
})
