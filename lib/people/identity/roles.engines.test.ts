import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege, privileges } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
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

const ROLES = '/api/admin/roles'

type NewRole = { name?: string; privileges?: Privilege[]; enterpriseId?: number; scopeId?: number }

const newRole = ({ name = unique('Role'), privileges: granted = [], ...of }: NewRole = {}): Promise<number> =>
  transaction((trx) => insertRole(trx, { name, privileges: granted, ...of }))

const listed = async (query: string, as: User = admin): Promise<{ names: string[]; totalSize: number }> => {
  const { collection, totalSize } = await expectStatus(200, call('GET', `${ROLES}?${query}`, { as }))
  return { names: collection.map(({ name }: { name: string }) => name), totalSize }
}

const type = (kind: string) => `application/vnd.service.${kind}+json`

describe('a role', () => {
  test('has its fields and its links', async () => {
    const [enterprise, scope, name] = [await newEnterprise(), await newScope(), unique('Role')]
    const id = await newRole({ name, enterpriseId: enterprise.id, scopeId: scope.id })
    const path = `${ORIGIN}${ROLES}/${id}`
    const owner = `${ORIGIN}/api/admin/enterprises/${enterprise.id}`
    expect(await expectStatus(200, call('GET', `${ROLES}/${id}`))).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('role'), title: name },
        { rel: 'privileges', href: `${path}/action/privileges`, type: type('privileges') },
        { rel: 'enterprise', href: owner, type: type('enterprise'), title: enterprise.name },
        { rel: 'scope', href: ORIGIN + scopePath(scope.id), type: type('scope'), title: scope.name },
      ],
      id,
      name,
      blocked: false,
      ...noNotes,
    })
    const xml = await expectStatus(200, call('GET', `${ROLES}/${id}`, { headers: { accept: 'text/xml' } }))
    expect(xml).toContain(
      `<id>${id}</id><name>${name}</name><description></description><blocked>false</blocked></role>`,
    )
  })

  test('CLOUD_ADMIN is the only blocked default role, and has every privilege', async () => {
    const { collection } = await expectStatus(200, call('GET', `${ROLES}?has=cloud_admin`))
    expect(collection).toEqual([expect.objectContaining({ name: 'CLOUD_ADMIN', blocked: true })])
    const path = `${ROLES}/${collection[0].id}/action/privileges?limit=0`
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ totalSize: allPrivileges.length })
  })

  test('ROLE-0: is not found if it does not exist', async () => {
    for (const id of ['999999999', 'admin']) {
      expect(await refusal(call('GET', `${ROLES}/${id}`))).toEqual([404, 'ROLE-0'])
      expect(await refusal(call('GET', `${ROLES}/${id}/action/privileges`))).toEqual([404, 'ROLE-0'])
    }
  })

  test('lists its privileges', async () => {
    const id = await newRole({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE', 'MANAGE_NATIPS'] })
    const of = async (query: string) =>
      (await expectStatus(200, call('GET', `${ROLES}/${id}/action/privileges?${query}`))).collection.map(
        ({ name }: { name: string }) => name,
      )
    expect(await of('')).toEqual(['VDC_ENUMERATE', 'MANAGE_NATIPS', 'USERS_VIEW'])
    expect(await of('by=name')).toEqual(['MANAGE_NATIPS', 'USERS_VIEW', 'VDC_ENUMERATE'])
    expect(await of('has=view')).toEqual(['USERS_VIEW'])
  })
})

describe('the list of roles', () => {
  test('is ordered and searched by name', async () => {
    const word = unique('Listed')
    for (const letter of ['b', 'C', 'a']) await newRole({ name: `${word} ${letter}` })
    const query = `has=${encodeURIComponent(word.toUpperCase())}`
    expect(await listed(query)).toEqual({
      names: ['a', 'b', 'C'].map((letter) => `${word} ${letter}`),
      totalSize: 3,
    })
    expect((await listed(`${query}&by=id&asc=false&limit=2`)).names).toEqual([`${word} a`, `${word} C`])
  })

  test('is filtered by enterprise', async () => {
    const { id } = await newEnterprise()
    const name = unique('Role')
    await newRole({ name, enterpriseId: id })
    expect(await listed(`identerprise=${id}`)).toEqual({ names: [name], totalSize: 1 })
    expect(await refusal(call('GET', `${ROLES}?identerprise=x`))).toEqual([400, 'GEN-22'])
  })

  test.each(allPrivileges)(
    'is granted or refused with only %s (docs/api/authorization.md, "Privileges")',
    async (privilege) => {
      const as = await newUser({ privileges: [privilege] })
      const expected = ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'].includes(privilege) ? 200 : 403
      for (const path of [ROLES, `${ROLES}/1`, `${ROLES}/1/action/privileges`]) {
        expect((await call('GET', path, { as })).status).toBe(expected)
      }
    },
  )

  test('shows a limited caller the roles without an enterprise and those of visible ones', async () => {
    const [seen, hidden, scope] = await Promise.all([newEnterprise(), newEnterprise(), newScope()])
    const as = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })
    const word = unique('Role')
    const visible = await newRole({ name: `${word} a`, enterpriseId: seen.id, scopeId: scope.id })
    await newRole({ name: `${word} b` })
    const invisible = await newRole({ name: `${word} c`, enterpriseId: hidden.id })
    expect(await listed(`has=${encodeURIComponent(word)}`, as)).toEqual({
      names: [`${word} a`, `${word} b`],
      totalSize: 2,
    })
    expect(await listed(`identerprise=${hidden.id}`, as)).toEqual({ names: [], totalSize: 0 })
    expect(await refusal(call('GET', `${ROLES}/${invisible}`, { as }))).toEqual([404, 'ROLE-0'])
    expect(await refusal(call('GET', `${ROLES}/${invisible}/action/privileges`, { as }))).toEqual([
      404,
      'ROLE-0',
    ])
    const { links } = await expectStatus(200, call('GET', `${ROLES}/${visible}`, { as }))
    expect(links.map(({ rel }: { rel: string }) => rel)).toEqual(['edit', 'privileges', 'enterprise'])
  })
})

describe('privileges', () => {
  test('can be listed by any user', async () => {
    const as = await newUser({ privileges: [] })
    const { collection, totalSize } = await expectStatus(
      200,
      call('GET', '/api/config/privileges?limit=0', { as }),
    )
    expect(collection.map(({ name }: { name: string }) => name)).toEqual(allPrivileges)
    expect(totalSize).toBe(allPrivileges.length)
  })

  test('are read one by one', async () => {
    const { collection } = await expectStatus(200, call('GET', '/api/config/privileges?has=MANAGE_SCOPES'))
    const path = `/api/config/privileges/${collection[0].id}`
    const name = 'USERS_MANAGE_SCOPES'
    const href = ORIGIN + path
    expect(await expectStatus(200, call('GET', path))).toEqual({
      links: ['self', 'privilege'].map((rel) => ({ rel, href, type: type('privilege'), title: name })),
      id: collection[0].id,
      name,
      description: privileges[name],
    })
    expect(await refusal(call('GET', '/api/config/privileges/999'))).toEqual([404, 'PRIVILEGE-0'])
  })

  test('are paged like every list: beyond the end comes the last page, with limit=0 all', async () => {
    const last = await expectStatus(200, call('GET', '/api/config/privileges?startwith=500&limit=5'))
    expect(last.collection.map(({ id }: { id: number }) => id)).toEqual([23, 24, 25, 26, 27])
    const all = await expectStatus(200, call('GET', '/api/config/privileges?startwith=500&limit=0'))
    expect(all.collection).toHaveLength(allPrivileges.length)
    expect(await refusal(call('GET', '/api/config/privileges?by=description'))).toEqual([400, 'QUERY-0'])
  })
})
