import { beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { createdUser, eventsOf, newRole, ROLES } from '#lib/tools/testing/identity'
import { type Directory, newDirectory } from '#lib/tools/testing/scim'
import { newScope } from '#lib/tools/testing/scopes'

let directory: Directory

beforeAll(async () => {
  directory = await newDirectory()
})

const group = (fields: object = {}) =>
  directory.expectFrom(201, 'POST', '/Groups', { body: { displayName: unique('Group'), ...fields } })

const valuesOf = async (id: string): Promise<string[]> => {
  const { members } = await directory.expectFrom(200, 'GET', `/Groups/${id}`)
  return members.map(({ value }: { value: string }) => value)
}

const roleOf = async (id: string): Promise<string> =>
  (await directory.expectFrom(200, 'GET', `/Users/${id}`)).groups[0].display

describe('a group is a role', () => {
  test('that a POST makes without privileges, with its event', async () => {
    const externalId = unique('id')
    const made = await group({ externalId })
    expect(made).toMatchObject({ externalId, members: [], meta: { resourceType: 'Group' } })
    const { totalSize } = await expectStatus(200, call('GET', `${ROLES}/${made.id}/action/privileges`))
    expect(totalSize).toBe(0)
    expect(await eventsOf('role', Number(made.id))).toMatchObject([
      { action: 'create', user: directory.user.nick },
    ])
    expect(await directory.refused('POST', '/Groups', { body: { displayName: made.displayName } })).toEqual([
      409,
      'uniqueness',
    ])
    expect(await directory.refused('POST', '/Groups', { body: {} })).toEqual([400, 'invalidValue'])
    const again = { body: { displayName: unique('Group'), externalId } }
    expect(await directory.refused('POST', '/Groups', again)).toEqual([409, 'uniqueness'])
  })

  test('that takes its members from their role, and leaves them the default role', async () => {
    const [one, two] = [await directory.create(), await directory.create()]
    const [first, second] = [await group({ members: [{ value: one.id }, { value: two.id }] }), await group()]
    expect(await valuesOf(first.id)).toEqual([one.id, two.id])
    const add = { op: 'add', path: 'members', value: [{ value: two.id }] }
    expect((await directory.patch(`/Groups/${second.id}`, add)).status).toBe(204)
    expect([await valuesOf(first.id), await valuesOf(second.id)]).toEqual([[one.id], [two.id]])
    const { displayName } = second
    await directory.expectFrom(200, 'PUT', `/Groups/${second.id}`, { body: { displayName, members: [] } })
    expect(await roleOf(two.id)).toBe('USER')
    const events = await eventsOf('user', Number(two.id))
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'create',
      'update',
      'update',
      'update',
    ])
    await directory.expectFrom(200, 'PUT', `/Groups/${first.id}`, {
      body: { displayName: unique('Renamed') },
    })
    expect(await valuesOf(first.id)).toEqual([one.id])
    expect((await directory.send('DELETE', `/Groups/${first.id}`)).status).toBe(204)
    expect(await roleOf(one.id)).toBe('USER')
    expect(await directory.refused('GET', `/Groups/${first.id}`)).toEqual([404, undefined])
  })

  test.each<[string, object[], (ids: string[]) => string[]]>([
    ['remove one by a filter', [{ op: 'remove', path: 'members[value eq "ONE"]' }], ([, two = '']) => [two]],
    [
      'remove one by its name',
      [{ op: 'remove', path: 'members[display eq "anna"]' }],
      ([, two = '']) => [two],
    ],
    [
      'remove by values',
      [{ op: 'Remove', path: 'members', value: [{ value: 'ONE' }] }],
      ([, two = '']) => [two],
    ],
    ['remove all', [{ op: 'remove', path: 'members' }], () => []],
    ['replace', [{ op: 'replace', path: 'members', value: [{ value: 'TWO' }] }], ([, two = '']) => [two]],
    [
      'replace without a path',
      [{ op: 'replace', value: { members: [{ value: 'ONE' }] } }],
      ([one = '']) => [one],
    ],
    [
      'remove all, then add',
      [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: 'ONE' },
      ],
      ([one = '']) => [one],
    ],
    [
      'add, then remove',
      [
        { op: 'add', path: 'members', value: [{ value: 'ONE' }] },
        { op: 'remove', path: 'members[value eq "ONE"]' },
      ],
      ([, two = '']) => [two],
    ],
  ])('PATCH: %s', async (_name, operations, expected) => {
    const users = [
      await directory.create({ displayName: 'Anna', name: { givenName: 'Anna' } }),
      await directory.create(),
    ]
    const ids = users.map(({ id }) => id as string)
    const made = await group({ members: ids.map((value) => ({ value })) })
    const sent = JSON.parse(
      JSON.stringify(operations)
        .replaceAll('ONE', ids[0] ?? '')
        .replaceAll('TWO', ids[1] ?? ''),
    ) as object[]
    expect((await directory.patch(`/Groups/${made.id}`, ...sent)).status).toBe(204)
    expect(await valuesOf(made.id)).toEqual(expected(ids))
  })

  test('whose faulty changes are refused', async () => {
    const { id } = await group()
    const refused = (operation: object) =>
      directory.refused('PATCH', `/Groups/${id}`, {
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] },
      })
    const add = (value: unknown) => refused({ op: 'add', path: 'members', value })
    expect(await add([{ value: '999999999' }])).toEqual([400, 'invalidValue'])
    expect(await add([{ value: 'abc' }])).toEqual([400, 'invalidValue'])
    expect(await refused({ op: 'replace', path: 'members[value eq "1"].display', value: 'x' })).toEqual([
      400,
      'mutability',
    ])
    expect(await refused({ op: 'replace', path: 'id', value: '1' })).toEqual([400, 'mutability'])
    expect(await refused({ op: 'add', path: 'owner', value: '1' })).toEqual([400, 'invalidPath'])
    expect(await refused({ op: 'remove' })).toEqual([400, 'noTarget'])
    expect(await refused({ op: 'remove', path: 'displayName' })).toEqual([400, 'invalidValue'])
    expect(await refused({ op: 'remove', path: 'members[nothing eq "1"]' })).toEqual([400, 'invalidFilter'])
  })

  test('with a version that changes with its members', async () => {
    const { id } = await directory.create()
    const made = await group()
    const stale = { headers: { 'if-match': made.meta.version } }
    const add = { op: 'add', path: 'members', value: [{ value: id }] }
    expect((await directory.patch(`/Groups/${made.id}`, add)).status).toBe(204)
    expect(await directory.refused('DELETE', `/Groups/${made.id}`, stale)).toEqual([412, undefined])
    const { meta } = await directory.expectFrom(200, 'GET', `/Groups/${made.id}?excludedAttributes=members`)
    const now = { headers: { 'if-match': meta.version } }
    expect((await directory.send('DELETE', `/Groups/${made.id}`, now)).status).toBe(204)
  })

  test('found by its name, its id, its external id and its members', async () => {
    const { id } = await directory.create({ name: { givenName: unique('Zoe') } })
    const user = await directory.expectFrom(200, 'GET', `/Users/${id}`)
    const made = await group({ externalId: unique('Ext'), members: [{ value: id }] })
    for (const filter of [
      `displayName eq "${made.displayName.toUpperCase()}"`,
      `id eq "${made.id}"`,
      `externalId eq "${made.externalId}"`,
      `members eq "${id}"`,
      `members.value eq "${id}"`,
      `members[value eq "${id}" and type eq "User"]`,
      `members.display eq "${user.name.formatted}"`,
    ])
      expect([filter, await directory.found('/Groups', filter)]).toEqual([filter, [made.id]])
    expect(
      await directory.found('/Groups', `displayName eq "${made.displayName}" and not (members pr)`),
    ).toEqual([])
    expect(await directory.refused('GET', '/Groups?filter=userName%20pr')).toEqual([400, 'invalidFilter'])
    expect(await directory.refused('GET', '/Groups?sortBy=members')).toEqual([400, 'invalidValue'])
  })
})

describe('nobody grants more than they hold', () => {
  test('a role with more privileges is 403, one with fewer is given', async () => {
    const manager = await newDirectory({ enterpriseId: directory.user.enterpriseId }, [
      'USERS_VIEW',
      'USERS_MANAGE_USERS',
      'USERS_VIEW_PRIVILEGES',
    ])
    const { id } = await createdUser(manager.user.enterpriseId, { role: await newRole() })
    const add = (role: number) =>
      manager.patch(`/Groups/${role}`, { op: 'add', path: 'members', value: [{ value: String(id) }] })
    expect((await add(await newRole({ privileges: ['USERS_MANAGE_ROLES'] }))).status).toBe(403)
    expect((await add(await newRole({ privileges: ['USERS_VIEW'] }))).status).toBe(204)
    const rename = { op: 'replace', path: 'displayName', value: unique('No') }
    expect((await manager.patch(`/Groups/${await newRole()}`, rename)).status).toBe(403)
    expect(await manager.refused('POST', '/Groups', { body: { displayName: unique('No') } })).toEqual([
      403,
      undefined,
    ])
  })

  test('the role of an enterprise out of sight does not exist, nor do its members', async () => {
    const limited = await newDirectory({ scopeId: (await newScope()).id })
    const name = unique('Hidden')
    const hidden = await transaction((trx) =>
      insertRole(trx, { name, privileges: [], enterpriseId: directory.user.enterpriseId }),
    )
    expect(await limited.refused('GET', `/Groups/${hidden}`)).toEqual([404, undefined])
    expect(await limited.found('/Groups', `displayName eq "${name}"`)).toEqual([])
    const shared = await group({ members: [{ value: (await directory.create()).id }] })
    // A role of no enterprise is seen by all, but not who has it.
    await transaction((trx) =>
      trx.updateTable('roles').set({ enterprise_id: null }).where('id', '=', Number(shared.id)).execute(),
    )
    expect((await limited.expectFrom(200, 'GET', `/Groups/${shared.id}`)).members).toEqual([])
    const named = `members.value eq "${shared.members[0].value}"`
    expect(await limited.found('/Groups', named)).toEqual([])
    const add = { op: 'add', path: 'members', value: shared.members }
    expect((await limited.patch(`/Groups/${shared.id}`, add)).status).toBe(400)
  })
})

test('the settings show the address, the tokens and the refusals of users in sight', async () => {
  const name = unique('No')
  expect(await directory.refused('PATCH', `/Groups/${await newRole({ name })}`, { body: {} })).toEqual([
    400,
    'invalidSyntax',
  ])
  const status = async (as?: Parameters<typeof call>[2]) =>
    expectStatus(200, call('GET', '/api/config/scim', as))
  await expect
    .poll(async () =>
      (await status()).refusals.map(({ user, code }: { user: string; code: string }) => `${user} ${code}`),
    )
    .toContain(`${directory.user.nick} SCIM-6`)
  await expect
    .poll(async () => (await status()).tokens.map(({ id }: { id: number }) => id))
    .toContain(directory.tokenId)
  expect((await status()).address).toMatch(/\/scim\/v2$/)
  const limited = await newDirectory({ scopeId: (await newScope()).id })
  const { tokens, refusals } = await status({ as: limited.user })
  const nicks = [...tokens, ...refusals].map(({ user }: { user: string }) => user)
  expect(nicks).not.toContain(directory.user.nick)
})
