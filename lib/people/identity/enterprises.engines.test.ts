import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import {
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

const ENTERPRISES = '/api/admin/enterprises'

const pathOf = (id: number): string => `${ENTERPRISES}/${id}`

const listed = (query: string, as?: User) =>
  expectStatus(200, call('GET', `${ENTERPRISES}?${query}`, { ...(as && { as }) }))

const idsOf = ({ collection }: { collection: { id: number }[] }): number[] => collection.map(({ id }) => id)

describe('an enterprise', () => {
  test('has its fields and its links', async () => {
    const scope = await newScope()
    const { id, name } = await newEnterprise(unique('Enterprise'), scope.id)
    const type = (kind: string) => `application/vnd.service.${kind}+json`
    const path = ORIGIN + pathOf(id)
    const machines = `${ORIGIN}/api/cloud/virtualdatacenters?enterprise=${id}`
    expect(await expectStatus(200, call('GET', pathOf(id)))).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('enterprise'), title: name },
        { rel: 'users', href: `${path}/users`, type: type('users') },
        { rel: 'scope', href: ORIGIN + scopePath(scope.id), type: type('scope'), title: scope.name },
        { rel: 'virtualdatacenters', href: machines, type: type('virtualdatacenters') },
        { rel: 'properties', href: `${path}/properties`, type: type('enterpriseproperties') },
      ],
      id,
      name,
      twoFactorAuthenticationMandatory: false,
      ...noNotes,
    })
  })

  test('can be read in XML', async () => {
    const { id, name } = await newEnterprise(unique('A & B'))
    const xml = await expectStatus(200, call('GET', pathOf(id), { headers: { accept: 'application/xml' } }))
    expect(xml).toContain(`<enterprise><link title="${name.replace('&', '&amp;')}" rel="edit"`)
    expect(xml).toContain(
      '<twoFactorAuthenticationMandatory>false</twoFactorAuthenticationMandatory><description></description></enterprise>',
    )
  })

  test('EN-0: is not found if it does not exist', async () => {
    for (const id of ['999999999', 'acme', '_']) {
      expect(await refusal(call('GET', `${ENTERPRISES}/${id}`))).toEqual([404, 'EN-0'])
    }
    expect(await refusal(call('GET', pathOf(0)))).toEqual([400, 'GEN-1'])
  })

  test('can be read by its own users without any privilege, and by no others', async () => {
    const as = await newUser({ privileges: [] })
    expect(await expectStatus(200, call('GET', pathOf(as.enterpriseId), { as }))).toMatchObject({
      id: as.enterpriseId,
    })
    await expectStatus(403, call('GET', pathOf((await newEnterprise()).id), { as }))
    await expectStatus(403, call('GET', pathOf(999999999), { as }))
  })
})

describe('the list of enterprises', () => {
  test('is ordered and searched by name', async () => {
    const word = unique('Ünion')
    for (const letter of ['b', 'C', 'a']) await newEnterprise(`${word} ${letter}`)
    const letters = async (query: string) =>
      (await listed(`has=${encodeURIComponent(word.toUpperCase())}${query}`)).collection.map(
        ({ name }: { name: string }) => name.at(-1),
      )
    expect(await letters('')).toEqual(['a', 'b', 'C'])
    expect(await letters('&asc=false')).toEqual(['C', 'b', 'a'])
    expect(await letters('&by=id')).toEqual(['b', 'C', 'a'])
    expect(await letters('&limit=1&startwith=2')).toEqual(['C'])
    expect(await refusal(call('GET', `${ENTERPRISES}?by=properties`))).toEqual([400, 'QUERY-0'])
  })

  test('is filtered by default scope', async () => {
    const scope = await newScope()
    const { id } = await newEnterprise(unique('Enterprise'), scope.id)
    const found = await listed(`idScope=${scope.id}`)
    expect(found).toMatchObject({ collection: [{ id }], totalSize: 1 })
    expect(found.links[0].href).toContain(`?idScope=${scope.id}&`)
    expect(await listed('idScope=999999999')).toMatchObject({ collection: [], totalSize: 0 })
    expect(await refusal(call('GET', `${ENTERPRISES}?idScope=first`))).toEqual([400, 'GEN-22'])
  })

  test.each(allPrivileges)(
    'is granted or refused with only %s (docs/api/authorization.md, "Privileges")',
    async (privilege) => {
      const as = await newUser({ privileges: [privilege] })
      const granted = ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'].includes(privilege)
      expect((await call('GET', ENTERPRISES, { as })).status).toBe(granted ? 200 : 403)
      expect((await call('GET', pathOf(1), { as })).status).toBe(granted ? 200 : 403)
    },
  )
})

describe('a limited caller', () => {
  test('can see the enterprises of their scope and their own', async () => {
    const [seen, hidden] = await Promise.all([newEnterprise(), newEnterprise()])
    const as = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })
    const list = await listed('by=id', as)
    expect(idsOf(list).sort()).toEqual([seen.id, as.enterpriseId].sort())
    expect(list.totalSize).toBe(2)
    expect(await refusal(call('GET', pathOf(hidden.id), { as }))).toEqual([404, 'EN-0'])
    expect(await listed(`has=${encodeURIComponent(hidden.name)}`, as)).toMatchObject({ totalSize: 0 })
  })

  test('can neither see a hidden default scope nor find enterprises by it', async () => {
    const [own, other] = await Promise.all([newScope(), newScope()])
    const { id } = await newEnterprise(unique('Enterprise'), other.id)
    const as = await newUser({ enterpriseId: id, scopeId: own.id })
    const enterprise = await expectStatus(200, call('GET', pathOf(id), { as }))
    expect(enterprise.links.map(({ rel }: { rel: string }) => rel)).not.toContain('scope')
    expect(await listed(`idScope=${other.id}`, as)).toMatchObject({ collection: [], totalSize: 0 })
    expect(idsOf(await listed(`idScope=${other.id}`))).toEqual([id])
  })

  test('can see all enterprises if their scope includes all', async () => {
    const as = await newUser({ scopeId: (await newScope({ automaticAddEnterprise: true })).id })
    await expectStatus(200, call('GET', pathOf((await newEnterprise()).id), { as }))
  })
})
