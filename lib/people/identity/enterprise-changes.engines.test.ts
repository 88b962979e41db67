import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { createdUser, ENTERPRISES, eventsOf, newRole, relinked, scopeLink } from '#lib/tools/testing/identity'
import { newDatacenter, newMachine } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, readScope } from '#lib/tools/testing/scopes'

const create = (body: object, as?: User) => call('POST', ENTERPRISES, { body, ...(as && { as }) })

const created = (body: object, as?: User) => expectStatus(201, create(body, as))

const put = (enterprise: { id: number }, change: object, as?: User) =>
  call('PUT', `${ENTERPRISES}/${enterprise.id}`, { body: { ...enterprise, ...change }, ...(as && { as }) })

const remove = (id: number, as?: User) => call('DELETE', `${ENTERPRISES}/${id}`, { ...(as && { as }) })

const scopeOf = ({ links }: { links: { rel: string; href: string }[] }): number =>
  Number(
    links
      .find(({ rel }) => rel === 'scope')
      ?.href.split('/')
      .at(-1),
  )

const limited = async () => {
  const scope = await newScope({ enterprises: [(await newEnterprise()).id] })
  return { scope, as: await newUser({ scopeId: scope.id }) }
}

describe('creating an enterprise', () => {
  test('returns its fields, its default scope and its Location', async () => {
    const [scope, name] = [await newScope(), unique('Enterprise')]
    const response = await create({
      name,
      twoFactorAuthenticationMandatory: true,
      links: [scopeLink(scope.id)],
    })
    const made = await expectStatus(201, response)
    expect(made).toMatchObject({ name, twoFactorAuthenticationMandatory: true })
    expect(scopeOf(made)).toBe(scope.id)
    expect(response.headers.get('location')).toBe(made.links[0].href)
    expect(await expectStatus(200, call('GET', made.links[0].href))).toEqual(made)
  })

  test('uses the caller’s scope by default, and adds the enterprise to a limited one (docs/api/users.md, "Enterprises")', async () => {
    expect(scopeOf(await created({ name: unique('Enterprise') }))).toBe(1)
    const { scope, as } = await limited()
    const made = await created({ name: unique('Enterprise') }, as)
    expect(scopeOf(made)).toBe(scope.id)
    expect((await readScope(scope.id)).scopeEntities).toContainEqual(
      expect.objectContaining({ idResource: made.id, type: 'ENTERPRISE' }),
    )
  })

  test('ENTERPRISE-4: is refused for a taken name', async () => {
    const { name } = await created({ name: unique('Enterprise') })
    expect(await refusal(create({ name }))).toEqual([409, 'ENTERPRISE-4'])
  })

  test('SCOPE-1, CONSTR-LENGTH, GEN-11: reports all faults of a document at once', async () => {
    const body = { id: 7, name: '', links: [scopeLink(999999999)] }
    expect(await refusal(create(body))).toEqual([404, 'GEN-11', 'CONSTR-LENGTH', 'SCOPE-1'])
    expect(await refusal(create({}))).toEqual([400, 'CONSTR-NOTNULL'])
    const { as } = await limited()
    const hidden = { name: unique('Enterprise'), links: [scopeLink((await newScope()).id)] }
    expect(await refusal(create(hidden, as))).toEqual([404, 'SCOPE-1'])
  })

  test('USER-19: is refused with a default scope that is wider than the caller’s', async () => {
    const as = await newUser({ scopeId: (await newScope({ automaticAddDatacenter: true })).id })
    const wider = await newScope({ automaticAddDatacenter: true, datacenters: [(await newDatacenter()).id] })
    const hidden = await newScope({
      automaticAddDatacenter: true,
      enterprises: [(await newEnterprise()).id],
    })
    await created({ name: unique('Enterprise'), links: [scopeLink(wider.id)] }, as)
    const body = { name: unique('Enterprise'), links: [scopeLink(hidden.id)] }
    expect(await refusal(create(body, as))).toEqual([409, 'USER-19'])
  })
})

describe('changing an enterprise', () => {
  test('replaces its fields; without a scope link the default scope stays', async () => {
    const scope = await newScope()
    const made = await created({ name: unique('Enterprise'), links: [scopeLink(scope.id)] })
    const name = unique('Renamed')
    const changed = await expectStatus(
      200,
      put(made, { name, twoFactorAuthenticationMandatory: true, links: [] }),
    )
    expect(changed).toMatchObject({ name, twoFactorAuthenticationMandatory: true })
    expect(scopeOf(changed)).toBe(scope.id)
    const other = await newScope()
    const moved = await expectStatus(200, put(changed, { links: [scopeLink(other.id)] }))
    expect(scopeOf(moved)).toBe(other.id)
    const events = await eventsOf('enterprise', made.id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'update'])
    expect(events[2].changes).toEqual({
      scope: { before: `${scope.name} (${scope.id})`, after: `${other.name} (${other.id})` },
    })
  })

  test('ENTERPRISE-4, EN-0, GEN-16, 412: is refused', async () => {
    const [made, other] = [await newEnterprise(), await newEnterprise()]
    expect(await refusal(put(made, { name: other.name }))).toEqual([409, 'ENTERPRISE-4'])
    const renumbered = call('PUT', `${ENTERPRISES}/${made.id}`, { body: other })
    expect(await refusal(renumbered)).toEqual([400, 'GEN-16'])
    expect(await refusal(put({ id: 999999999 }, { name: 'x' }))).toEqual([404, 'EN-0'])
    const stale = { body: { name: 'x' }, headers: { 'if-match': '"old"' } }
    const path = `${ENTERPRISES}/${made.id}`
    expect(await refusal(call('PUT', path, stale))).toEqual([412, '412-PRECONDITION-FAILED'])
    const tag = (await call('GET', path)).headers.get('etag') ?? ''
    await expectStatus(200, call('PUT', path, { body: made, headers: { 'if-match': tag } }))
  })

  test('GEN-15, USER-19: can neither remove nor grant visibility that the caller lacks', async () => {
    const { scope, as } = await limited()
    const global = { id: as.enterpriseId, name: unique('Enterprise') }
    await expectStatus(200, put(global, {}, as))
    expect(await refusal(put(global, { links: [scopeLink(scope.id)] }, as))).toEqual([403, 'GEN-15'])
    const own = await created({ name: unique('Enterprise') }, as)
    const beyond = await newScope({ parent: scope.id, enterprises: [(await newEnterprise()).id] })
    expect(await refusal(put(own, { links: [scopeLink(beyond.id)] }, as))).toEqual([409, 'USER-19'])
    const below = await newScope({ parent: scope.id })
    const moved = await expectStatus(200, put(own, { links: [scopeLink(below.id)] }, as))
    expect(scopeOf(moved)).toBe(below.id)
  })

  test('keeps a default scope that the caller cannot see', async () => {
    const hidden = await newScope()
    const { id } = await newEnterprise(unique('Enterprise'), hidden.id)
    const as = await newUser({ scopeId: (await newScope({ enterprises: [id] })).id })
    const seen = await expectStatus(200, call('GET', `${ENTERPRISES}/${id}`, { as }))
    await expectStatus(200, put(seen, { links: relinked(seen, 'scope') }, as))
    expect(scopeOf(await expectStatus(200, call('GET', `${ENTERPRISES}/${id}`)))).toBe(hidden.id)
  })
})

describe('deleting an enterprise', () => {
  test('also removes it from scopes', async () => {
    const { id, name } = await newEnterprise()
    const scope = await newScope({ enterprises: [id] })
    expect((await remove(id)).status).toBe(204)
    expect(await refusal(remove(id))).toEqual([404, 'EN-0'])
    expect((await readScope(scope.id)).scopeEntities).toEqual([])
    expect(await eventsOf('enterprise', id)).toEqual([
      expect.objectContaining({ action: 'delete', entityName: name }),
    ])
  })

  test('ENTERPRISE-5: is refused while it has users, roles, virtual datacenters or templates', async () => {
    const [user, role, machine, template] = await Promise.all([1, 2, 3, 4].map(() => newEnterprise()))
    const datacenter = (await newDatacenter()).id
    await createdUser(user?.id ?? 0, { role: await newRole() })
    await newRole({ enterpriseId: role?.id ?? 0 })
    await newMachine({ datacenter, enterprise: machine?.id ?? 0, privateIps: [] })
    await transaction((trx) =>
      trx
        .insertInto('templates')
        .values({
          enterprise_id: template?.id ?? 0,
          datacenter_id: datacenter,
          name: 'T',
          name_key: 't',
          scope_id: null,
        })
        .execute(),
    )
    for (const used of [user, role, machine, template])
      expect(await refusal(remove(used?.id ?? 0))).toEqual([409, 'ENTERPRISE-5'])
  })

  test('EN-0: is refused to callers who cannot see it', async () => {
    const { as } = await limited()
    const { id } = await newEnterprise()
    expect(await refusal(remove(id, as))).toEqual([404, 'EN-0'])
    expect(await refusal(put({ id }, { name: 'x' }, as))).toEqual([404, 'EN-0'])
  })
})
