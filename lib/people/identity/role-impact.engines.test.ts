import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import type { RoleImpact } from '#lib/people/identity/identity.schema'
import { insertRole } from '#lib/people/identity/roles.server'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  router,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { linkTo } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'
import { search, searchTime } from '#lib/tools/testing/search'

const pathOf = (role: number): string => `/api/admin/roles/${role}`
const links = (privileges: readonly Privilege[]) =>
  privileges.map((name) => linkTo('privilege', `/config/privileges/${allPrivileges.indexOf(name) + 1}`))

const impact = (role: number, body?: object, as?: User): Promise<RoleImpact> =>
  expectStatus(
    200,
    call('POST', `${pathOf(role)}/action/impact`, { ...(body && { body }), ...(as && { as }) }),
  )

const names = (entries: RoleImpact['gained']) => entries.map(({ name }) => name)

const privilegesOf = async (role: number): Promise<string[]> =>
  (await expectStatus(200, call('GET', `${pathOf(role)}/action/privileges?limit=0`))).collection.map(
    ({ name }: { name: string }) => name,
  )

async function newRole(privileges: readonly Privilege[], enterpriseId?: number): Promise<number> {
  await router()
  const role = { name: unique('Role'), privileges, ...(enterpriseId && { enterpriseId }) }
  return transaction((trx) => insertRole(trx, role))
}

/** Gives the user the role. */
const give = (user: { id: number }, role_id: number) =>
  transaction((trx) => trx.updateTable('users').set({ role_id }).where('id', '=', user.id).execute())

describe('the impact of a change of a role', () => {
  test('is privileges gained and lost, and the users who have the role', async () => {
    const role = await newRole(['USERS_VIEW', 'VDC_ENUMERATE'])
    const user = await newUser()
    await give(user, role)
    const body = { name: unique('Role'), links: links(['USERS_VIEW', 'VDC_MANAGE']) }
    const found = await impact(role, body)
    expect(found.totals).toEqual({ gained: 1, lost: 1, users: 1 })
    expect([names(found.gained), names(found.lost)]).toEqual([['VDC_MANAGE'], ['VDC_ENUMERATE']])
    expect(found.users).toMatchObject([{ type: 'USER', id: user.id, name: user.nick }])
    expect(found.refusals).toEqual([])
    expect(await privilegesOf(role)).toEqual(['VDC_ENUMERATE', 'USERS_VIEW'])
    // Without privilege links the privileges stay, and no user gains or loses any.
    expect((await impact(role, { name: unique('Role') })).totals).toEqual({ gained: 0, lost: 0, users: 0 })
  })

  test('without a document is that of the deletion, which users refuse', async () => {
    const role = await newRole(['USERS_VIEW'])
    const user = await newUser()
    await give(user, role)
    const found = await impact(role)
    expect(found).toMatchObject({
      totals: { gained: 0, lost: 1, users: 1 },
      refusals: [{ code: 'ROLE-3', links: [{ rel: 'blocker', title: user.nick }] }],
    })
  })

  test('names only users that the caller sees', async () => {
    const enterprise = await newEnterprise()
    const role = await newRole(['USERS_VIEW'])
    for (const user of [await newUser({ enterpriseId: enterprise.id }), await newUser()])
      await give(user, role)
    const scope = await newScope({ enterprises: [enterprise.id] })
    const as = await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    const found = await impact(role, undefined, as)
    expect(found.totals.users).toBe(1)
    expect(found.refusals.map(({ code }) => code)).toEqual(['GEN-15'])
    const seesAll = await newUser({ enterpriseId: enterprise.id })
    expect((await impact(role, undefined, seesAll)).refusals).toMatchObject([
      { code: 'ROLE-3', links: [{}, {}] },
    ])
  })

  test('reports references that do not exist, and hides roles that the caller does not see', async () => {
    const role = await newRole([], (await newEnterprise()).id)
    const found = await impact(role, { name: 'x', links: [linkTo('scope', '/admin/scopes/999999999')] })
    expect(found.refusals.map(({ code }) => code)).toEqual(['SCOPE-1'])
    const as = await newUser({ scopeId: (await newScope()).id })
    expect(await codesOf(call('POST', `${pathOf(role)}/action/impact`, { as }))).toEqual(['ROLE-0'])
  })

  test('is the same in XML', async () => {
    const role = await newRole(['USERS_VIEW'])
    const response = await call('POST', `${pathOf(role)}/action/impact`, {
      headers: { accept: 'application/vnd.service.roleimpact+xml' },
    })
    expect(await response.text()).toMatch(/<roleimpact>.*<lost>.*<type>PRIVILEGE<\/type>.*<totals>/)
  })
})

const some = fc.subarray<Privilege>(['USERS_VIEW', 'VDC_MANAGE', 'VDC_ENUMERATE', 'USERS_MANAGE_ROLES'])

test('the impact operation predicts the actual outcome', { timeout: searchTime(60_000) }, async () => {
  const property = fc.asyncProperty(
    fc.record({
      before: some,
      after: fc.option(some.filter(({ length }) => length > 0)),
      caller: some,
      name: fc.constantFrom('new', 'taken'),
      removes: fc.boolean(),
      isHeld: fc.boolean(),
      isCommon: fc.boolean(),
    }),
    async ({ before, after, caller, name, removes, isHeld, isCommon }) => {
      const enterprise = (await newEnterprise()).id
      const scope = await newScope({ enterprises: [enterprise] })
      const as = await newUser({
        enterpriseId: enterprise,
        scopeId: scope.id,
        privileges: [...new Set([...caller, 'USERS_MANAGE_ROLES' as const])],
      })
      const role = await newRole(before, isCommon ? undefined : enterprise)
      if (isHeld) await give(await newUser({ enterpriseId: enterprise }), role)
      const body = removes
        ? undefined
        : { name: name === 'taken' ? 'CLOUD_ADMIN' : unique('Role'), links: links(after ?? []) }
      const predicted = await impact(role, body, as)
      const was = await privilegesOf(role)
      const response = await call(body ? 'PUT' : 'DELETE', pathOf(role), { as, ...(body && { body }) })
      const refused = response.ok ? [] : await codesOf(response)
      expect(predicted.refusals.map(({ code }) => code)).toEqual(refused)
      if (!response.ok) return
      const is = body ? await privilegesOf(role) : []
      expect(names(predicted.gained).sort()).toEqual(is.filter((one) => !was.includes(one)).sort())
      expect(names(predicted.lost).sort()).toEqual(was.filter((one) => !is.includes(one)).sort())
      const changes = predicted.totals.gained + predicted.totals.lost > 0
      expect(predicted.totals.users).toBe(changes && isHeld ? 1 : 0)
    },
  )
  await fc.assert(property, search(60))
})
