import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { insertUser } from '#lib/people/identity/users.server'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newRole, ROLES, usersOf } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

type Listed = { id: number; links: { rel: string; href: string }[] }
type Page = { collection: Listed[]; totalSize: number; links: Listed['links'] }

const page = (path: string, as: User = admin): Promise<Page> => expectStatus(200, call('GET', path, { as }))

const idsOf = async (path: string, as?: User): Promise<number[]> => {
  const { collection, totalSize } = await page(path, as)
  expect(totalSize).toBe(collection.length)
  return collection.map(({ id }) => id)
}

type Person = { scopeId?: number; roleId?: number; locked?: boolean; active?: boolean; authType?: string }

/** Users of one enterprise who never sign in, by nick. */
async function people<Name extends string>(persons: Record<Name, Person>) {
  const { id: enterpriseId } = await newEnterprise()
  const usual = await newRole()
  const ids = {} as Record<Name, number>
  for (const [name, { roleId = usual, ...person }] of Object.entries<Person>(persons)) {
    const user = { nick: unique(name), name, enterpriseId, roleId, password_hash: '', ...person }
    ids[name as Name] = await transaction((trx) => insertUser(trx, user))
  }
  return { enterpriseId, ids, list: usersOf(enterpriseId) }
}

const enableTwoFactor = (user: number) =>
  transaction((trx) =>
    trx.updateTable('users').set({ two_factor_provider: 'EMAIL' }).where('id', '=', user).execute(),
  )

describe('a list of users', () => {
  test('is filtered by two factor, and links disable2fa for users who have enabled it', async () => {
    const { ids, list } = await people({ with: {}, without: {} })
    await enableTwoFactor(ids.with)
    expect(await idsOf(`${list}?twofactor=true`)).toEqual([ids.with])
    expect(await idsOf(`${list}?twofactor=false`)).toEqual([ids.without])
    const { collection } = await page(list)
    const enabled = collection.map(({ id, links }) => [id, links.some(({ rel }) => rel === 'disable2fa')])
    expect(Object.fromEntries(enabled)).toEqual({ [ids.with]: true, [ids.without]: false })
  })

  test('is filtered by locked', async () => {
    const { ids, list } = await people({ locked: { locked: true }, open: {} })
    expect(await idsOf(`${list}?locked=true`)).toEqual([ids.locked])
    expect(await idsOf(`${list}?locked=false`)).toEqual([ids.open])
  })

  test('is filtered by service accounts', async () => {
    const { ids, list } = await people({ robot: { authType: 'SERVICE' }, person: {} })
    expect(await idsOf(`${list}?service=true`)).toEqual([ids.robot])
    expect(await idsOf(`${list}?service=false`)).toEqual([ids.person])
  })

  test('is filtered by a user’s own scope, not by that of their enterprise', async () => {
    const scope = await newScope()
    const { ids, list } = await people({ holder: { scopeId: scope.id }, none: {} })
    const other = await people({ holder: { scopeId: scope.id } })
    expect(await idsOf(`${list}?idScope=${scope.id}`)).toEqual([ids.holder])
    expect(await idsOf(`${usersOf('_')}?idScope=${scope.id}`)).toEqual([ids.holder, other.ids.holder])
    expect(await idsOf(`${list}?idScope=1`)).toEqual([])
  })

  test('is filtered by role', async () => {
    const role = await newRole()
    const { ids, list } = await people({ has: { roleId: role }, other: {} })
    expect(await idsOf(`${list}?role=${role}`)).toEqual([ids.has])
    expect(await idsOf(`${usersOf('_')}?role=${role}`)).toEqual([ids.has])
  })

  test('is filtered by all filters together, and its page links keep them', async () => {
    const [scope, role] = [await newScope(), await newRole()]
    const both = { scopeId: scope.id, roleId: role, locked: true }
    const { ids, list } = await people({
      one: both,
      two: both,
      open: { ...both, locked: false },
      disabled: { ...both, active: false },
      elsewhere: { ...both, scopeId: 1 },
    })
    const query = `active=true&locked=true&twofactor=false&idScope=${scope.id}&role=${role}`
    const first = await page(`${list}?${query}&limit=1`)
    expect([first.totalSize, first.collection.map(({ id }) => id)]).toEqual([2, [ids.one]])
    const next = first.links.find(({ rel }) => rel === 'next')?.href ?? ''
    expect(next).toContain(`${list}?${query}&`)
    expect((await page(next)).collection.map(({ id }) => id)).toEqual([ids.two])
  })

  test('is filtered in XML too', async () => {
    const { ids, list } = await people({ locked: { locked: true }, open: {} })
    const headers = { accept: 'application/xml' }
    const xml = await expectStatus(200, call('GET', `${list}?locked=true`, { headers }))
    expect(xml).toContain(`<id>${ids.locked}</id>`)
    expect(xml).not.toContain(`<id>${ids.open}</id>`)
  })

  test('SCOPE-1, ROLE-0: refuses filters by hidden or missing resources', async () => {
    const own = await newScope()
    const hidden = await newScope()
    const { id: enterpriseId } = await newEnterprise()
    const foreign = await transaction((trx) =>
      insertRole(trx, { name: unique('Role'), privileges: [], enterpriseId }),
    )
    const as = await newUser({ scopeId: own.id })
    const refused = (query: string, who: User = as) =>
      refusal(call('GET', `${usersOf('_')}?${query}`, { as: who }))
    for (const id of [hidden.id, 1, 999999999])
      expect(await refused(`idScope=${id}`)).toEqual([404, 'SCOPE-1'])
    for (const id of [foreign, 999999999]) expect(await refused(`role=${id}`)).toEqual([404, 'ROLE-0'])
    expect(await refused('idScope=999999999', admin)).toEqual([404, 'SCOPE-1'])
    expect(await idsOf(`${usersOf('_')}?idScope=${own.id}`, as)).toEqual([as.id])
    expect(await refusal(call('GET', `${usersOf(enterpriseId)}?idScope=${own.id}`, { as }))).toEqual([
      404,
      'EN-0',
    ])
  })

  test('GEN-22: refuses invalid filter values', async () => {
    for (const query of ['locked=1', 'twofactor=yes', 'idScope=0', 'idScope=x', 'role=', 'role=-1'])
      expect([query, await refusal(call('GET', `${usersOf('_')}?${query}`))]).toEqual([
        query,
        [400, 'GEN-22'],
      ])
  })
})

describe('a list of roles', () => {
  const newRoleOf = async (scopeId: number, enterpriseId?: number): Promise<number> =>
    transaction((trx) =>
      insertRole(trx, {
        name: unique('Role'),
        privileges: [],
        scopeId,
        ...(enterpriseId && { enterpriseId }),
      }),
    )

  test('is filtered by the scope of the roles, also together with their enterprise', async () => {
    const [scope, enterprise] = [await newScope(), await newEnterprise()]
    const [common, special] = [await newRoleOf(scope.id), await newRoleOf(scope.id, enterprise.id)]
    expect(await idsOf(`${ROLES}?idScope=${scope.id}&by=id`)).toEqual([common, special])
    const both = `identerprise=${enterprise.id}&idScope=${scope.id}`
    const filtered = await page(`${ROLES}?${both}`)
    expect(filtered.collection.map(({ id }) => id)).toEqual([special])
    expect(filtered.links[0]?.href).toContain(`?${both}&`)
    const headers = { accept: 'application/xml' }
    const xml = await expectStatus(200, call('GET', `${ROLES}?${both}`, { headers }))
    expect(xml).toMatch(new RegExp(`<totalSize>1</totalSize>.*<id>${special}</id>`))
  })

  test('SCOPE-1, GEN-22: refuses a filter by a hidden, missing or invalid scope', async () => {
    const [own, hidden, enterprise] = [await newScope(), await newScope(), await newEnterprise()]
    const as = await newUser({ scopeId: own.id })
    const [seen] = [await newRoleOf(own.id), await newRoleOf(own.id, enterprise.id)]
    expect(await idsOf(`${ROLES}?idScope=${own.id}`, as)).toEqual([seen])
    for (const id of [hidden.id, 999999999])
      expect(await refusal(call('GET', `${ROLES}?idScope=${id}`, { as }))).toEqual([404, 'SCOPE-1'])
    expect(await refusal(call('GET', `${ROLES}?idScope=no`))).toEqual([400, 'GEN-22'])
  })
})
