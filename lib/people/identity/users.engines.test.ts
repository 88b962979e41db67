import { describe, expect, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { insertUser } from '#lib/people/identity/users.server'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, scopePath } from '#lib/tools/testing/scopes'

const usersOf = (enterprise: number | '_'): string => `/api/admin/enterprises/${enterprise}/users`

type Person = {
  enterpriseId: number
  nick?: string
  name?: string
  surname?: string
  email?: string
  active?: boolean
  scopeId?: number
  role?: { name: string; enterpriseId?: number }
}

/** A user who never signs in. */
const person = ({ role = { name: unique('Role') }, ...user }: Person): Promise<number> =>
  transaction(async (trx) => {
    const roleId = await insertRole(trx, { ...role, privileges: [] })
    return insertUser(trx, { nick: unique('nick'), name: 'Test', ...user, roleId, password_hash: '' })
  })

const listed = async (
  enterprise: number | '_',
  query = '',
  as: User = admin,
): Promise<{ ids: number[]; totalSize: number }> => {
  const { collection, totalSize } = await expectStatus(
    200,
    call('GET', `${usersOf(enterprise)}?${query}`, { as }),
  )
  return { ids: collection.map(({ id }: { id: number }) => id), totalSize }
}

describe('a user', () => {
  test('has all its fields and links', async () => {
    const [{ id: enterpriseId, name: enterprise }, scope] = await Promise.all([newEnterprise(), newScope()])
    const role = { name: unique('Role') }
    const nick = unique('nick')
    const about = { name: 'Ada', surname: 'Lovelace', email: 'ada@example.com' }
    const id = await person({ enterpriseId, nick, scopeId: scope.id, role, ...about })
    const user = await expectStatus(200, call('GET', `${usersOf(enterpriseId)}/${id}`))
    const path = `${ORIGIN}${usersOf(enterpriseId)}/${id}`
    const type = (kind: string) => `application/vnd.service.${kind}+json`
    expect(user).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('user'), title: nick },
        {
          rel: 'enterprise',
          href: `${ORIGIN}/api/admin/enterprises/${enterpriseId}`,
          type: type('enterprise'),
          title: enterprise,
        },
        {
          rel: 'role',
          href: expect.stringMatching(/\/api\/admin\/roles\/\d+$/),
          type: type('role'),
          title: role.name,
        },
        { rel: 'scope', href: ORIGIN + scopePath(scope.id), type: type('scope'), title: scope.name },
        { rel: 'virtualmachines', href: `${path}/action/virtualmachines`, type: type('virtualmachines') },
        { rel: 'pendingtasks', href: `${path}/action/pendingtasks`, type: type('tasks') },
        { rel: 'applications', href: `${path}/applications`, type: type('applications') },
        { rel: 'tokens', href: `${path}/tokens`, type: type('accesstokens') },
        { rel: 'enable2fa', href: `${path}/action/enable2fa`, type: type('twofactorauthcredentials') },
      ],
      id,
      nick,
      tags: [],
      ...about,
      description: '',
      locale: 'en_US',
      authType: expect.any(String),
      active: true,
      firstLogin: true,
      locked: false,
      allowedCIDRs: [],
      invited: false,
    })
  })

  test('can be read in XML', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const id = await person({ enterpriseId, name: 'Grace', surname: 'Hopper' })
    const headers = { accept: 'application/vnd.service.user+xml' }
    const xml = await expectStatus(200, call('GET', `${usersOf(enterpriseId)}/${id}`, { headers }))
    expect(xml).toContain('<name>Grace</name><surname>Hopper</surname>')
    expect(xml).toContain('rel="enterprise" type="application/vnd.service.enterprise+xml"')
  })

  test('is found below its own enterprise, and below _', async () => {
    const [{ id: enterpriseId }, other] = await Promise.all([newEnterprise(), newEnterprise()])
    const id = await person({ enterpriseId })
    expect(await expectStatus(200, call('GET', `${usersOf('_')}/${id}`))).toMatchObject({ id })
    expect(await refusal(call('GET', `${usersOf(other.id)}/${id}`))).toEqual([404, 'USER-0'])
    expect(await refusal(call('GET', `${usersOf(999999999)}/${id}`))).toEqual([404, 'EN-0'])
    expect(await refusal(call('GET', `${usersOf(enterpriseId)}/nobody`))).toEqual([404, 'USER-0'])
  })

  test('can read themselves without USERS_VIEW, and nobody else (docs/api/authorization.md, "Own user")', async () => {
    const as = await newUser({ privileges: [] })
    const colleague = await person({ enterpriseId: as.enterpriseId })
    expect(
      await expectStatus(200, call('GET', `${usersOf(as.enterpriseId)}/${as.id}`, { as })),
    ).toMatchObject({ nick: as.nick })
    expect(await expectStatus(200, call('GET', `${usersOf('_')}/${as.id}`, { as }))).toMatchObject({
      id: as.id,
    })
    await expectStatus(403, call('GET', `${usersOf(as.enterpriseId)}/${colleague}`, { as }))
    await expectStatus(403, call('GET', usersOf(as.enterpriseId), { as }))
  })
})

describe('the list of users', () => {
  test('is ordered by nick, for one enterprise or all', async () => {
    const [{ id: enterpriseId }, other] = await Promise.all([newEnterprise(), newEnterprise()])
    const word = unique('nick')
    const b = await person({ enterpriseId, nick: `${word}-b`, name: 'Y' })
    const c = await person({ enterpriseId, nick: `${word}-C`, name: 'X' })
    const a = await person({ enterpriseId: other.id, nick: `${word}-a`, name: 'Z' })
    expect(await listed(enterpriseId)).toEqual({ ids: [b, c], totalSize: 2 })
    expect(await listed('_', `has=${encodeURIComponent(word)}`)).toEqual({ ids: [a, b, c], totalSize: 3 })
    expect(await listed(enterpriseId, 'asc=false')).toMatchObject({ ids: [c, b] })
    expect(await listed(enterpriseId, 'by=name')).toMatchObject({ ids: [c, b] })
    expect(await listed(enterpriseId, 'by=id')).toMatchObject({ ids: [b, c] })
    expect(await refusal(call('GET', `${usersOf('_')}?by=password`))).toEqual([400, 'QUERY-0'])
  })

  test('is searched by nick, name, surname and e-mail, in any case', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const about = { nick: unique('alovelace'), name: 'Ada', surname: 'Ångström', email: 'ada@Example.com' }
    const id = await person({ enterpriseId, ...about })
    await person({ enterpriseId, name: 'Other', surname: 'Person', email: 'op@example.org' })
    for (const has of [about.nick, 'LOVELACE', 'ada', 'ångström', 'ÅNG', 'example.COM']) {
      expect(await listed(enterpriseId, `has=${encodeURIComponent(has)}`)).toEqual({
        ids: [id],
        totalSize: 1,
      })
    }
    expect(await listed(enterpriseId, 'has=%25')).toEqual({ ids: [], totalSize: 0 })
  })

  test('is filtered by active', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const active = await person({ enterpriseId })
    const inactive = await person({ enterpriseId, active: false })
    expect(await listed(enterpriseId, 'active=true')).toEqual({ ids: [active], totalSize: 1 })
    expect(await listed(enterpriseId, 'active=false')).toEqual({ ids: [inactive], totalSize: 1 })
    expect((await listed(enterpriseId)).totalSize).toBe(2)
    expect(await refusal(call('GET', `${usersOf(enterpriseId)}?active=maybe`))).toEqual([400, 'GEN-22'])
    const { links } = await expectStatus(200, call('GET', `${usersOf('_')}?active=false`))
    expect(links[0].href).toContain('/enterprises/_/users?active=false&')
  })

  test.each(allPrivileges)(
    'is granted or refused with only %s (docs/api/authorization.md, "Privileges")',
    async (privilege: Privilege) => {
      const as = await newUser({ privileges: [privilege] })
      const granted = ['USERS_VIEW', 'USERS_MANAGE_USERS'].includes(privilege)
      expect((await call('GET', usersOf('_'), { as })).status).toBe(granted ? 200 : 403)
    },
  )
})

describe('a limited caller', () => {
  test('can see only the users of visible enterprises', async () => {
    const [seen, hidden] = await Promise.all([newEnterprise(), newEnterprise()])
    const as = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })
    const visible = await person({ enterpriseId: seen.id })
    const invisible = await person({ enterpriseId: hidden.id })
    const all = await listed('_', 'limit=0&by=id', as)
    expect(all).toEqual({ ids: [as.id, visible].sort((a, b) => a - b), totalSize: 2 })
    expect(await refusal(call('GET', `${usersOf('_')}/${invisible}`, { as }))).toEqual([404, 'USER-0'])
    expect(await refusal(call('GET', usersOf(hidden.id), { as }))).toEqual([404, 'EN-0'])
    expect(await refusal(call('GET', `${usersOf(hidden.id)}/${invisible}`, { as }))).toEqual([404, 'EN-0'])
  })

  test('cannot see the names of hidden scopes and roles', async () => {
    const [seen, hidden, scope] = await Promise.all([newEnterprise(), newEnterprise(), newScope()])
    const as = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })
    const role = { name: unique('Role'), enterpriseId: hidden.id }
    const id = await person({ enterpriseId: seen.id, scopeId: scope.id, role })
    const { links } = await expectStatus(200, call('GET', `${usersOf(seen.id)}/${id}`, { as }))
    const rels = links.map(({ rel }: { rel: string }) => rel)
    expect(rels).not.toContain('scope')
    expect(rels).toContain('role')
    expect(JSON.stringify(links)).not.toContain(role.name)
  })
})

test('the password, its hash and the secrets of two factor are in no document', async () => {
  const as = await newUser()
  const hash = await hashPassword('whatever')
  await transaction((trx) =>
    trx.updateTable('users').set({ two_factor_secret: hash }).where('id', '=', as.id).execute(),
  )
  const text = JSON.stringify(await expectStatus(200, call('GET', `${usersOf('_')}/${as.id}`)))
  expect(text).not.toContain('argon2')
  expect(text).not.toMatch(/password|secret/i)
})
