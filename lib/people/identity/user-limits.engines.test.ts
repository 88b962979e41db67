import { beforeAll, describe, expect, test } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  newRole,
  PASSWORD,
  putUser,
  ROLES,
  readUser,
  relinked,
  roleLink,
  scopeLink,
  userBody,
  usersOf,
} from '#lib/tools/testing/identity'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, SCOPES } from '#lib/tools/testing/scopes'
import { withSettings } from '#lib/tools/testing/session'

const managing: Privilege[] = ['USERS_MANAGE_USERS', 'USERS_VIEW']

const create = (enterprise: number, user: Parameters<typeof userBody>[0], as: User) =>
  call('POST', usersOf(enterprise), { body: userBody(user), as })

const remove = (id: number, as: User = admin) => call('DELETE', `${usersOf('_')}/${id}`, { as })

const scopeOf = ({ links }: { links: { rel: string; href: string }[] }): number | undefined => {
  const href = links.find(({ rel }) => rel === 'scope')?.href
  return href === undefined ? undefined : Number(href.split('/').at(-1))
}

/** An enterprise of a limited scope, with a manager of users in it. */
const limitedPlace = async () => {
  const scope = await newScope({ datacenters: [(await newDatacenter()).id] })
  const enterprise = await newEnterprise(unique('Enterprise'), scope.id)
  const as = await newUser({ enterpriseId: enterprise.id, privileges: managing })
  return { scope, enterprise: enterprise.id, as, role: await newRole({ privileges: ['USERS_VIEW'] }) }
}

describe('GEN-15: a caller can grant only what they have', () => {
  test('not a role with a privilege that the caller lacks, on create and on change', async () => {
    const { enterprise, as, role } = await limitedPlace()
    const more = await newRole({ privileges: [...managing, 'USERS_MANAGE_ROLES'] })
    expect(await refusal(create(enterprise, { role: more }, as))).toEqual([403, 'GEN-15'])
    const user = await createdUser(enterprise, { role }, as)
    const links = relinked(user, 'role', roleLink(more))
    expect(await refusal(putUser(user, { links }, as))).toEqual([403, 'GEN-15'])
    const self = await readUser(as.id, as)
    expect(await refusal(putUser(self, { links: relinked(self, 'role', roleLink(more)) }, as))).toEqual([
      403,
      'GEN-15',
    ])
    const equal = relinked(user, 'role', roleLink(await newRole({ privileges: managing })))
    await expectStatus(200, putUser(user, { links: equal }, as))
  })

  test('ROLE-0: not a role of a hidden enterprise', async () => {
    const { enterprise, as } = await limitedPlace()
    const hidden = await newRole({ enterpriseId: (await newEnterprise()).id })
    expect(await refusal(create(enterprise, { role: hidden }, as))).toEqual([404, 'ROLE-0'])
    const { id } = await createdUser(enterprise, { role: hidden })
    await expectStatus(200, putUser(await readUser(id, as), { name: 'Kept' }, as))
  })
})

describe('GEN-15: a caller cannot change or delete users (docs/api/authorization.md, "Limits of granting")', () => {
  test('with more privileges', async () => {
    const { enterprise, as } = await limitedPlace()
    const role = await newRole({ privileges: ['VDC_MANAGE'] })
    const user = await createdUser(enterprise, { role })
    for (const change of [{ password: PASSWORD }, { email: 'evil@example.com' }, { active: false }])
      expect(await refusal(putUser(user, change, as))).toEqual([403, 'GEN-15'])
    expect(await refusal(remove(user.id, as))).toEqual([403, 'GEN-15'])
    expect(await readUser(user.id)).toEqual(user)
  })

  test('with a wider visibility', async () => {
    const { enterprise, as, role } = await limitedPlace()
    const user = await createdUser(enterprise, { role, scope: 1 })
    expect(await refusal(putUser(await readUser(user.id, as), { name: 'New' }, as))).toEqual([403, 'GEN-15'])
    expect(await refusal(remove(user.id, as))).toEqual([403, 'GEN-15'])
    const equal = await createdUser(enterprise, { role })
    await expectStatus(200, putUser(equal, { name: 'New' }, as))
    expect((await remove(equal.id, as)).status).toBe(204)
  })
})

describe('the scope of a user', () => {
  test('SCOPE-15: must contain the user’s enterprise (docs/api/users.md, "Users")', async () => {
    const { enterprise, role } = await limitedPlace()
    const without = await newScope()
    expect(await refusal(create(enterprise, { role, scope: without.id }, admin))).toEqual([409, 'SCOPE-15'])
    const within = await newScope({ enterprises: [enterprise] })
    expect(scopeOf(await createdUser(enterprise, { role, scope: within.id }))).toBe(within.id)
    const all = await newScope({ automaticAddEnterprise: true })
    expect(scopeOf(await createdUser(enterprise, { role, scope: all.id }))).toBe(all.id)
    expect(scopeOf(await createdUser(enterprise, { role }))).toBeUndefined()
  })

  test('SCOPE-1: must be visible to the caller', async () => {
    const { enterprise, role, as } = await limitedPlace()
    const hidden = await newScope({ enterprises: [enterprise] })
    expect(await refusal(create(enterprise, { role, scope: hidden.id }, as))).toEqual([404, 'SCOPE-1'])
  })

  test('USER-19: cannot show more than the caller’s own scope (docs/api/authorization.md, "Limits of granting")', async () => {
    const { enterprise, role, scope, as } = await limitedPlace()
    const below = await newScope({ parent: scope.id, enterprises: [enterprise] })
    expect(scopeOf(await createdUser(enterprise, { role, scope: below.id }, as))).toBe(below.id)
    const foreign = await newEnterprise()
    const beyond = await newScope({ parent: scope.id, enterprises: [enterprise, foreign.id] })
    expect(await refusal(create(enterprise, { role, scope: beyond.id }, as))).toEqual([409, 'USER-19'])
    const user = await createdUser(enterprise, { role }, as)
    const links = [...user.links, scopeLink(beyond.id)]
    expect(await refusal(putUser(user, { links }, as))).toEqual([409, 'USER-19'])
    const self = await readUser(as.id, as)
    const own = [...self.links, scopeLink(beyond.id)]
    expect(await refusal(putUser(self, { links: own }, as))).toEqual([409, 'USER-19'])
  })

  test('USER-19: cannot be an unlimited one, given by a limited caller, even if it is below theirs', async () => {
    const { enterprise, role, scope, as } = await limitedPlace()
    const child = await newScope({ parent: scope.id, enterprises: [enterprise] })
    // No operation creates such a scope below another (SCOPE-20), but older installations may have one.
    await transaction((trx) =>
      trx.updateTable('scopes').set({ all_enterprises: 1 }).where('id', '=', child.id).execute(),
    )
    expect(await refusal(create(enterprise, { role, scope: child.id }, as))).toEqual([409, 'USER-19'])
  })

  test('is the caller’s own by default, if the enterprise’s default shows more than that', async () => {
    const scope = await newScope({ enterprises: [(await newEnterprise()).id] })
    const as = await newUser({ privileges: managing, scopeId: scope.id })
    const role = await newRole()
    const user = await createdUser(as.enterpriseId, { role }, as)
    expect(scopeOf(user)).toBe(scope.id)
    const bare = await expectStatus(200, putUser(user, { links: relinked(user, 'scope') }, as))
    expect(scopeOf(bare)).toBe(scope.id)
    const self = await readUser(as.id, as)
    expect(scopeOf(await expectStatus(200, putUser(self, { links: relinked(self, 'scope') }, as)))).toBe(
      scope.id,
    )
  })
})

describe('USER-25: the last active cloud administrator (docs/api/users.md, "Users")', () => {
  beforeAll(() =>
    // Tests in other files may have left some.
    transaction(async (trx) => {
      const roles = trx.selectFrom('roles').where('blocked', '=', 1).select('id')
      const others = trx.updateTable('users').where('role_id', 'in', roles).where('nick', '<>', admin.nick)
      await others.set({ active: 0 }).execute()
    }),
  )

  const ids = async () => {
    const { collection } = await expectStatus(200, call('GET', `${ROLES}?has=cloud_admin`))
    return { role: collection[0].id as number, self: await expectStatus(200, call('GET', '/api/login')) }
  }

  test('cannot be disabled, locked, demoted, limited or deleted', async () => {
    const { self } = await ids()
    const links = relinked(self, 'role', roleLink(await newRole()))
    const scope = await newScope({ enterprises: [Number(self.links[1].href.split('/').at(-1))] })
    const limited = [...self.links, scopeLink(scope.id)]
    const changes = {
      active: { active: false },
      locked: { locked: true },
      role: { links },
      scope: { links: limited },
    }
    for (const [field, change] of Object.entries(changes)) {
      const { collection } = await expectStatus(409, putUser(self, change))
      expect(collection).toMatchObject([{ code: 'USER-25', field }])
    }
    const deputy = await newUser()
    expect(await refusal(remove(self.id, deputy))).toEqual([409, 'USER-25'])
    expect(await expectStatus(200, putUser(self))).toEqual(self)
  })

  test('stays although there is one with a limited scope, who could not let them in again', async () => {
    const { role, self } = await ids()
    const { id: enterprise } = await newEnterprise()
    const scope = (await newScope({ enterprises: [enterprise] })).id
    const limited = await createdUser(enterprise, { role, scope })
    for (const change of [{ active: false }, { locked: true }])
      expect(await refusal(putUser(self, change))).toEqual([409, 'USER-25'])
    await withSettings({ PASSWORD_TRIES: 1 }, () =>
      call('GET', '/api/login', { as: { ...admin, password: 'wrong' } }),
    )
    expect(await readUser(self.id)).toMatchObject({ locked: false })
    await expectStatus(200, putUser(limited, { locked: true }))
    expect((await remove(limited.id)).status).toBe(204)
  })

  test('keeps an unlimited scope: neither that of their enterprise nor their own one becomes limited', async () => {
    const { self } = await ids()
    const path = `/api/admin/enterprises/${self.links
      .find(({ rel }: { rel: string }) => rel === 'enterprise')
      .href.split('/')
      .at(-1)}`
    const enterprise = await expectStatus(200, call('GET', path))
    const limited = await newScope({ enterprises: [enterprise.id] })
    const links = [scopeLink(limited.id)]
    expect(await refusal(call('PUT', path, { body: { ...enterprise, links } }))).toEqual([409, 'USER-25'])
    const all = { automaticAddDatacenter: true, automaticAddEnterprise: true }
    const held = [{ idResource: enterprise.id, type: 'ENTERPRISE' }]
    const name = unique('Everything')
    const scope = await expectStatus(201, call('POST', SCOPES, { body: { name, ...all } }))
    const at = `${SCOPES}/${scope.id}`
    await expectStatus(200, call('PUT', path, { body: { ...enterprise, links: [scopeLink(scope.id)] } }))
    for (const flag of Object.keys(all)) {
      const body = { ...scope, [flag]: false, scopeEntities: held }
      expect(await refusal(call('PUT', at, { body }))).toEqual([409, 'USER-25'])
      const { refusals } = await expectStatus(200, call('POST', `${at}/action/impact`, { body }))
      expect(refusals).toMatchObject([{ code: 'USER-25', field: flag }])
    }
    await expectStatus(200, call('PUT', path, { body: { ...enterprise, links: [scopeLink(1)] } }))
    await expectStatus(200, call('PUT', at, { body: { ...scope, automaticAddDatacenter: false } }))
  })

  test('stays although a service account has the role, because it cannot sign in', async () => {
    const { role, self } = await ids()
    const { id: enterprise } = await newEnterprise()
    const { password: _none, ...body } = userBody({ role, authType: 'SERVICE' })
    const robot = await expectStatus(201, call('POST', usersOf(enterprise), { body }))
    expect(await refusal(putUser(self, { locked: true }))).toEqual([409, 'USER-25'])
    await expectStatus(200, putUser(robot, { locked: true }))
    expect((await remove(robot.id)).status).toBe(204)
  })

  test('may be demoted while there is another active one', async () => {
    const { role, self } = await ids()
    const { id: enterprise } = await newEnterprise()
    const other = await createdUser(enterprise, { role })
    const links = relinked(self, 'role', roleLink(await newRole({ privileges: managing })))
    const disabled = await expectStatus(200, putUser(other, { active: false }))
    expect(await refusal(putUser(self, { links }))).toEqual([409, 'USER-25'])
    await expectStatus(200, putUser(disabled, { active: true }))
    const as = { nick: other.nick, password: PASSWORD }
    await expectStatus(200, putUser(self, { links }, as))
    expect(await refusal(putUser(other, { locked: true }, as))).toEqual([409, 'USER-25'])
    await expectStatus(200, putUser(self, {}, as))
    expect((await remove(other.id)).status).toBe(204)
  })
})

test('USER-25: of the last two cloud administrators only one can be disabled at the same time', async () => {
  const { collection } = await expectStatus(200, call('GET', `${ROLES}?has=cloud_admin`))
  const other = await createdUser((await newEnterprise()).id, { role: collection[0].id })
  const as = { nick: other.nick, password: PASSWORD }
  const self = await expectStatus(200, call('GET', '/api/login'))
  const off = { active: false }
  const answers = await Promise.all([putUser(self, off), putUser(other, off, as)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [first] = answers
  await expectStatus(200, first?.status === 200 ? putUser(self, {}, as) : putUser(other))
  expect((await remove(other.id)).status).toBe(204)
})

describe('a limited caller', () => {
  test('cannot find hidden users to change or delete', async () => {
    const as = await newUser({ scopeId: (await newScope()).id })
    const { id: enterprise } = await newEnterprise()
    const user = await createdUser(enterprise, { role: await newRole() })
    expect(await refusal(putUser(user, {}, as))).toEqual([404, 'USER-0'])
    expect(await refusal(remove(user.id, as))).toEqual([404, 'USER-0'])
    const path = `${usersOf(enterprise)}/${user.id}`
    expect(await refusal(call('PUT', path, { body: user, as }))).toEqual([404, 'EN-0'])
    expect(await refusal(create(enterprise, { role: await newRole() }, as))).toEqual([404, 'EN-0'])
  })
})
