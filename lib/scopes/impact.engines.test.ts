import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/identity/roles.server'
import type { ScopeImpact } from '#lib/scopes/scopes.schema'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/testing/client'
import { newDatacenter, newMachine, newTemplate } from '#lib/testing/nat'
import { refusal } from '#lib/testing/refusal'
import { newScope, ofEnterprise, parentLink, scopeBody, scopePath } from '#lib/testing/scopes'

const impact = (id: number, body?: unknown, as?: User): Promise<ScopeImpact> =>
  expectStatus(200, call('POST', `${scopePath(id)}/action/impact`, { body, ...(as && { as }) }))

const codes = ({ refusals }: ScopeImpact) => refusals.map(({ code }) => code).sort()
const names = (entries: { name: string }[]) => entries.map(({ name }) => name)

describe('the impact operation (docs/api.md, "Impact")', () => {
  test('without a document reports every reason against the deletion, with the blocking resources', async () => {
    const scope = await newScope()
    const child = await newScope({ parent: scope.id })
    const enterprise = await newEnterprise(unique('Enterprise'), scope.id)
    const user = await newUser({ scopeId: scope.id })
    const role = await transaction((trx) =>
      insertRole(trx, { name: unique('Role'), privileges: [], scopeId: scope.id }),
    )
    const report = await impact(scope.id)
    expect(codes(report)).toEqual(['SCOPE-12', 'SCOPE-17', 'SCOPE-19', 'SCOPE-5'])
    const blockers = Object.fromEntries(report.refusals.map(({ code, links }) => [code, links]))
    const path = (text: string) => expect.stringMatching(`/api/admin/${text}$`)
    expect(blockers).toMatchObject({
      'SCOPE-5': [{ rel: 'blocker', href: path(`roles/${role}`) }],
      'SCOPE-12': [{ rel: 'blocker', href: path(`enterprises/${enterprise.id}`), title: enterprise.name }],
      'SCOPE-17': [{ href: path(`enterprises/${user.enterpriseId}/users/${user.id}`), title: user.nick }],
      'SCOPE-19': [{ href: path(`scopes/${child.id}`), title: child.name }],
    })
    expect(report.enterprises).toMatchObject([
      { type: 'ENTERPRISE', id: enterprise.id, name: enterprise.name },
    ])
  })

  test.each(['', 'null', ' '])('takes the body %j for none', async (body) => {
    const scope = await newScope()
    await newScope({ parent: scope.id })
    expect(codes(await impact(scope.id, body))).toEqual(['SCOPE-19'])
  })

  test('with a document reports what the scope gains and loses, and for which users', async () => {
    const [kept, lost, gained] = [await newEnterprise(), await newEnterprise(), await newEnterprise()]
    const datacenter = await newDatacenter()
    const scope = await newScope({ enterprises: [kept.id, lost.id] })
    const user = await newUser({ scopeId: scope.id, enterpriseId: kept.id })
    const template = await newTemplate({
      enterpriseId: kept.id,
      datacenterId: datacenter.id,
      scopeId: scope.id,
    })
    const body = scopeBody({ enterprises: [kept.id, gained.id], datacenters: [datacenter.id] })
    const report = await impact(scope.id, { ...body, name: scope.name })
    expect(report.refusals).toEqual([])
    expect(names(report.gained)).toEqual([gained.name, datacenter.name])
    expect(names(report.lost)).toEqual([lost.name])
    expect(report.users).toMatchObject([{ type: 'USER', id: user.id, name: user.nick }])
    expect(report.templates).toMatchObject([{ type: 'TEMPLATE', id: template }])
    expect(report.totals).toEqual({ gained: 2, lost: 1, users: 1, roles: 0, templates: 1, enterprises: 0 })
  })

  test('tells nothing but a new name affects nobody', async () => {
    const scope = await newScope()
    await newUser({ scopeId: scope.id })
    expect((await impact(scope.id, { ...scope, name: unique('New') })).totals).toEqual({
      gained: 0,
      lost: 0,
      users: 0,
      roles: 0,
      templates: 0,
      enterprises: 0,
    })
  })

  test('of a move tells who will see the scope, and who will not any more', async () => {
    const [from, to] = [await newScope(), await newScope()]
    const scope = await newScope({ parent: from.id })
    const [before, after] = [await newUser({ scopeId: from.id }), await newUser({ scopeId: to.id })]
    await newUser({ scopeId: scope.id })
    const report = await impact(scope.id, { ...scope, links: [parentLink(to.id)] })
    expect(names(report.users).sort()).toEqual([before.nick, after.nick].sort())
  })

  test('of a root that becomes unlimited in one dimension tells who is unlimited like it (docs/api.md, "Visibility")', async () => {
    const like = await newScope({ automaticAddEnterprise: true })
    const other = await newScope({ automaticAddDatacenter: true })
    const [sees, blind] = [await newUser({ scopeId: like.id }), await newUser({ scopeId: other.id })]
    const scope = await newScope()
    const { users, totals } = await impact(scope.id, { ...scope, automaticAddEnterprise: true })
    if (totals.users <= 100) expect(names(users)).toContain(sees.nick)
    expect(names(users)).not.toContain(blind.nick)
    expect(totals.users).toBeGreaterThan(0)
  })

  test('tells SCOPE-8, -10 and -13 at once, each with its blocker', async () => {
    const enterprise = await newEnterprise()
    const datacenter = await newDatacenter()
    const scope = await newScope({ enterprises: [enterprise.id] })
    await transaction((trx) =>
      trx
        .updateTable('enterprises')
        .set({ default_scope_id: scope.id })
        .where('id', '=', enterprise.id)
        .execute(),
    )
    await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    const owner = await newEnterprise()
    const template = await newTemplate({
      enterpriseId: owner.id,
      datacenterId: datacenter.id,
      scopeId: scope.id,
    })
    const machine = await newMachine({ enterprise: enterprise.id, datacenter: datacenter.id, template })
    const report = await impact(scope.id, { ...scope, scopeEntities: [] })
    expect(codes(report)).toEqual(['SCOPE-10', 'SCOPE-13', 'SCOPE-8'])
    expect(report.refusals.find(({ code }) => code === 'SCOPE-10')?.links).toMatchObject([
      { type: 'application/vnd.service.virtualmachine+json', title: machine.name },
    ])
  })

  test('tells of a document that names what does not exist that it would be refused', async () => {
    const scope = await newScope()
    const body = { ...scope, links: [parentLink(999999999)], scopeEntities: [ofEnterprise(999999999)] }
    expect(codes(await impact(scope.id, body))).toEqual(['SCOPE-1', 'SCOPE-7'])
  })

  test('refuses a document that is none, an unknown scope, and who may not change scopes', async () => {
    const scope = await newScope()
    const path = `${scopePath(scope.id)}/action/impact`
    expect(await refusal(call('POST', path, { body: { name: '' } }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(call('POST', path, { body: { ...scope, id: scope.id + 1 } }))).toEqual([
      400,
      'GEN-16',
    ])
    expect(await refusal(call('POST', '/api/admin/scopes/999999999/action/impact'))).toEqual([404, 'SCOPE-1'])
    const as = await newUser({ privileges: ['USERS_VIEW_PRIVILEGES'] })
    expect((await call('POST', path, { as })).status).toBe(403)
  })

  test('the global scope: SCOPE-3 and SCOPE-2 alone, for nothing else could be put right', async () => {
    expect(codes(await impact(1, scopeBody()))).toEqual(['SCOPE-3'])
    expect(codes(await impact(1))).toEqual(['SCOPE-2'])
  })

  test('shows no name outside the visibility of the caller, but refuses all the same', async () => {
    const scope = await newScope()
    const stranger = await newUser()
    const as = await newUser({ scopeId: scope.id })
    const child = await newScope({ parent: scope.id }, as)
    await transaction((trx) =>
      trx.updateTable('users').set({ scope_id: child.id }).where('id', '=', stranger.id).execute(),
    )
    const report = await impact(child.id, undefined, as)
    expect(report.refusals).toMatchObject([{ code: 'SCOPE-17', links: [] }])
    expect(JSON.stringify(report)).not.toContain(stranger.nick)
  })

  test('answers XML as well', async () => {
    const scope = await newScope()
    await newScope({ parent: scope.id })
    const answer = call('POST', `${scopePath(scope.id)}/action/impact`, {
      headers: { accept: 'application/xml' },
    })
    const text = await expectStatus(200, answer)
    expect(text).toMatch(
      /<scopeimpact><link .*<refusals><link [^>]*rel="blocker"[^>]*><code>SCOPE-19<\/code>/,
    )
  })
})
