import { describe, expect, test } from 'vitest'
import type { ScopeImpact } from '#lib/caller/scopes/scopes.schema'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter, newMachine, newTemplate } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import {
  newScope,
  ofEnterprise,
  parentLink,
  readScope,
  scopeBody,
  scopePath,
} from '#lib/tools/testing/scopes'

const impact = (id: number, body?: unknown, as?: User): Promise<ScopeImpact> =>
  expectStatus(200, call('POST', `${scopePath(id)}/action/impact`, { body, ...(as && { as }) }))

const codes = ({ refusals }: ScopeImpact) => refusals.map(({ code }) => code).sort()
const names = (entries: { name: string }[]) => entries.map(({ name }) => name)

type Blockers = Record<string, unknown[]>

const linksOf = ({ refusals }: ScopeImpact) =>
  Object.fromEntries(refusals.map(({ code, links }) => [code, links]))

const blocker = (kind: string, path: string, title: string) => ({
  rel: 'blocker',
  href: expect.stringMatching(`^${ORIGIN}/api${path}$`),
  type: `application/vnd.service.${kind}+json`,
  title,
})

/** A scope with blockers of each kind. The caller sees the first of each kind only, and not the scope `above` their own. */
async function blocked() {
  const [mine, hidden, owner] = [await newEnterprise(), await newEnterprise(), await newEnterprise()]
  const [here, there] = [await newDatacenter(), await newDatacenter()]
  const above = await newScope()
  const own = await newScope({ parent: above.id, enterprises: [mine.id], datacenters: [here.id] })
  const as = await newUser({ scopeId: own.id })
  const scope = await newScope({ parent: own.id, enterprises: [mine.id, hidden.id] })
  const child = await newScope({ parent: scope.id })
  await transaction((trx) =>
    trx
      .updateTable('enterprises')
      .set({ default_scope_id: scope.id })
      .where('id', 'in', [mine.id, hidden.id])
      .execute(),
  )
  const role = async ({ id }: { id: number }) => {
    const made = { name: unique('Role'), privileges: [], enterpriseId: id, scopeId: scope.id }
    return blocker('role', `/admin/roles/${await transaction((trx) => insertRole(trx, made))}`, made.name)
  }
  const user = async (enterpriseId: number) => {
    const { id, nick } = await newUser({ enterpriseId, scopeId: scope.id })
    return blocker('user', `/admin/enterprises/${enterpriseId}/users/${id}`, nick)
  }
  const machine = async (enterprise: number, datacenter: number) => {
    const place = { enterpriseId: owner.id, datacenterId: datacenter, scopeId: scope.id }
    const made = await newMachine({ enterprise, datacenter, template: await newTemplate(place) })
    const path = `/cloud/virtualdatacenters/${made.virtualDatacenter}/virtualappliances/\\d+/virtualmachines/${made.id}`
    return blocker('virtualmachine', path, made.name)
  }
  const users = [await user(mine.id), await user(hidden.id)]
  const machines = [
    await machine(mine.id, here.id),
    await machine(mine.id, there.id),
    await machine(hidden.id, here.id),
  ]
  const enterprises = [mine, hidden].map(({ id, name }) =>
    blocker('enterprise', `/admin/enterprises/${id}`, name),
  )
  const removal: Blockers = {
    'SCOPE-5': [await role(mine), await role(hidden)],
    'SCOPE-11': machines,
    'SCOPE-12': enterprises,
    'SCOPE-17': users,
    'SCOPE-19': [blocker('scope', `/admin/scopes/${child.id}`, child.name)],
  }
  const update: Blockers = {
    'SCOPE-0': [blocker('scope', `/admin/scopes/${above.id}`, above.name)],
    'SCOPE-8': users,
    'SCOPE-10': machines,
    'SCOPE-13': enterprises,
  }
  return { enterprises: [mine, hidden], as, above, scope, removal, update }
}

describe('the impact operation (docs/api/scopes.md, "Impact")', () => {
  test('without a document reports every reason against the deletion, and the affected resources', async () => {
    const { scope, enterprises } = await blocked()
    const report = await impact(scope.id)
    expect(codes(report)).toEqual(['SCOPE-11', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19', 'SCOPE-5'])
    expect(report.enterprises).toMatchObject(
      enterprises.map(({ id, name }) => ({ type: 'ENTERPRISE', id, name })),
    )
  })

  test('links the visible blockers of a change, and refuses because of the hidden ones too', async () => {
    const { scope, above, as, removal, update } = await blocked()
    const seen = (blockers: Blockers) =>
      Object.fromEntries(Object.entries(blockers).map(([code, [first]]) => [code, [first]]))
    expect(linksOf(await impact(scope.id))).toEqual(removal)
    expect(linksOf(await impact(scope.id, undefined, as))).toEqual(seen(removal))
    const body = { ...(await readScope(scope.id, as)), name: above.name, scopeEntities: [] }
    expect(linksOf(await impact(scope.id, body))).toEqual(update)
    expect(linksOf(await impact(scope.id, body, as))).toEqual({ ...seen(update), 'SCOPE-0': [] })
  })

  test('links no more than the first ten', async () => {
    const scope = await newScope()
    const ids: number[] = []
    for (let made = 0; made < 11; made += 1) ids.push((await newScope({ parent: scope.id })).id)
    const { 'SCOPE-19': links } = linksOf(await impact(scope.id))
    expect(links?.map(({ href }) => Number(href.split('/').at(-1)))).toEqual(ids.slice(0, 10))
  })

  test('does not link children of a scope that the caller sees only because it is unlimited like theirs', async () => {
    const like = await newScope({ automaticAddEnterprise: true })
    await newScope({ parent: like.id })
    const as = await newUser({ scopeId: (await newScope({ automaticAddEnterprise: true })).id })
    expect(linksOf(await impact(like.id, undefined, as))).toEqual({ 'SCOPE-19': [] })
  })

  test('links the descendant that would be the parent', async () => {
    const scope = await newScope()
    const child = await newScope({ parent: scope.id })
    const report = await impact(scope.id, { ...scope, links: [parentLink(child.id)] })
    expect(linksOf(report)).toEqual({
      'SCOPE-18': [blocker('scope', `/admin/scopes/${child.id}`, child.name)],
    })
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

  test('for each dimension reports the gained and the lost visibility', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const named = { enterprises: [enterprise.id], datacenters: [datacenter.id] }
    const scope = await newScope(named)
    const none = { ...scopeBody(), name: scope.name }
    const emptied = await impact(scope.id, none)
    expect([names(emptied.gained), names(emptied.lost)]).toEqual([[], [enterprise.name, datacenter.name]])
    for (const flag of ['automaticAddDatacenter', 'automaticAddEnterprise'] as const) {
      const { totals: wide } = await impact(scope.id, { ...scope, [flag]: true })
      const { totals: narrow } = await impact((await newScope({ ...named, [flag]: true })).id, {
        ...scope,
        id: undefined,
      })
      expect([wide.lost, narrow.gained]).toEqual([0, 0])
      expect(wide.gained).toBeGreaterThan(0)
      expect(narrow.lost).toBe(wide.gained)
      expect((await impact(scope.id, { ...none, [flag]: true })).totals.lost).toBe(1)
    }
  })

  test('reports no affected user for a new name', async () => {
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

  test('for a move reports the users who gain or lose sight of the scope', async () => {
    const [from, to] = [await newScope(), await newScope()]
    const scope = await newScope({ parent: from.id })
    const [before, after] = [await newUser({ scopeId: from.id }), await newUser({ scopeId: to.id })]
    await newUser({ scopeId: scope.id })
    const report = await impact(scope.id, { ...scope, links: [parentLink(to.id)] })
    expect(names(report.users).sort()).toEqual([before.nick, after.nick].sort())
  })

  test('for a root that becomes unlimited in one dimension reports the users who are unlimited like it (docs/api/authorization.md, "Visibility")', async () => {
    const like = await newScope({ automaticAddEnterprise: true })
    const other = await newScope({ automaticAddDatacenter: true })
    const [sees, blind] = [await newUser({ scopeId: like.id }), await newUser({ scopeId: other.id })]
    const scope = await newScope()
    const { users, totals } = await impact(scope.id, { ...scope, automaticAddEnterprise: true })
    if (totals.users <= 100) expect(names(users)).toContain(sees.nick)
    expect(names(users)).not.toContain(blind.nick)
    expect(totals.users).toBeGreaterThan(0)
  })

  test('reports SCOPE-8, -10 and -13 together, each with its blocker', async () => {
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

  test('reports the refusal of a document with missing references', async () => {
    const scope = await newScope()
    const body = { ...scope, links: [parentLink(999999999)], scopeEntities: [ofEnterprise(999999999)] }
    expect(codes(await impact(scope.id, body))).toEqual(['SCOPE-1', 'SCOPE-7'])
  })

  test('refuses an invalid document, an unknown scope, and callers who may not change scopes', async () => {
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
