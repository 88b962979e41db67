import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { newDatacenter, newMachine, newTemplate } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import {
  newScope,
  ofDatacenter,
  ofEnterprise,
  parentLink,
  putScope,
  readScope,
  SCOPES,
  scopeBody,
  scopePath,
} from '#lib/tools/testing/scopes'

const created = (body: unknown) => call('POST', SCOPES, { body })

const deleted = (scope: { id: number }) => call('DELETE', scopePath(scope.id))

describe('a document of a scope', () => {
  test('needs a name of 1 to 128 characters', async () => {
    expect(await refusal(created({}))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(created({ name: null }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(created({ name: '' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(created({ name: 'n'.repeat(129) }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(created({ name: 7 }))).toEqual([400, 'GEN-3'])
    expect(await refusal(created({ name: 'a\u0000b' }))).toEqual([400, 'CONSTR-PATTERN'])
    const longest = unique('😀'.repeat(100)).padEnd(128 + 100, '.')
    await expectStatus(201, created({ name: longest }))
  })

  test('must have fields of the right kinds', async () => {
    expect(await refusal(created({ ...scopeBody(), automaticAddEnterprise: 'yes' }))).toEqual([400, 'GEN-3'])
    expect(await refusal(created({ ...scopeBody(), scopeEntities: {} }))).toEqual([400, 'GEN-3'])
    expect(await refusal(created({ ...scopeBody(), links: {} }))).toEqual([400, 'GEN-3'])
    expect(await refusal(created('[]'))).toEqual([400, 'GEN-3'])
    expect(await refusal(created('{'))).toEqual([400, 'GEN-3'])
  })

  test('has no id on create (GEN-11)', async () => {
    expect(await refusal(created({ ...scopeBody(), id: 5 }))).toEqual([400, 'GEN-11'])
  })

  test('names enterprises and datacenters that exist (SCOPE-7)', async () => {
    const withEntities = (...scopeEntities: object[]) => refusal(created({ ...scopeBody(), scopeEntities }))
    expect(await withEntities(ofEnterprise(999999999))).toEqual([400, 'SCOPE-7'])
    expect(await withEntities(ofDatacenter(999999999))).toEqual([400, 'SCOPE-7'])
    expect(await withEntities({ idResource: 1, type: 'RACK' })).toEqual([400, 'SCOPE-7'])
    expect(await withEntities({ idResource: 1, type: 'RACK' }, ofDatacenter(999999999))).toEqual([
      400,
      'SCOPE-7',
      'SCOPE-7',
    ])
    expect(await withEntities({ type: 'ENTERPRISE' })).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await withEntities({ idResource: 1 })).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await withEntities({ idResource: 'one', type: 'ENTERPRISE' })).toEqual([400, 'GEN-3'])
  })

  test('links a parent that exists, soundly', async () => {
    const withLink = (link: object) => refusal(created({ ...scopeBody(), links: [link] }))
    expect(await withLink(parentLink(999999999))).toEqual([404, 'SCOPE-1'])
    expect(await withLink(parentLink(0))).toEqual([400, 'GEN-1'])
    expect(await withLink({ rel: 'scopeParent' })).toEqual([400, 'LINK-1'])
    expect(await withLink({ href: parentLink(1).href })).toEqual([400, 'LINK-0'])
    expect(await withLink({ rel: 'scopeParent', href: '/api/admin/enterprises/1' })).toEqual([400, 'GEN-6'])
    expect(await withLink({ rel: 'scopeParent', href: '/api/admin/scopes/first' })).toEqual([400, 'GEN-6'])
  })

  test('gets all its faults at once; 404 takes precedence over 400 (docs/api/errors.md, "Several faults")', async () => {
    const links = [parentLink(999999999)]
    const body = { name: '', scopeEntities: [ofEnterprise(999999999)], links }
    const [status, ...codes] = await refusal(created(body))
    expect([status, codes.sort()]).toEqual([404, ['CONSTR-LENGTH', 'SCOPE-1', 'SCOPE-7']])
  })
})

test('SCOPE-0: the name of another scope is refused, on create and update; the own name is not', async () => {
  const [one, other] = await Promise.all([newScope(), newScope()])
  expect(await refusal(created({ name: one.name }))).toEqual([409, 'SCOPE-0'])
  expect(await refusal(putScope(other, { name: one.name }))).toEqual([409, 'SCOPE-0'])
  await expectStatus(200, putScope(one))
})

test('SCOPE-1: a scope that does not exist is not found, in whatever way it is asked for', async () => {
  for (const id of ['999999999', 'abc', '-1', '1.5', '99999999999999999999']) {
    const path = `${SCOPES}/${id}`
    expect(await refusal(call('GET', path))).toEqual([404, 'SCOPE-1'])
    expect(await refusal(call('PUT', path, { body: scopeBody() }))).toEqual([404, 'SCOPE-1'])
    expect(await refusal(call('DELETE', path))).toEqual([404, 'SCOPE-1'])
  }
  expect(await refusal(call('GET', scopePath(0)))).toEqual([400, 'GEN-1'])
})

test('SCOPE-2 and SCOPE-3: the global scope is neither deleted nor modified', async () => {
  const global = await readScope(1)
  expect(global).toMatchObject({
    name: 'Global scope',
    automaticAddDatacenter: true,
    automaticAddEnterprise: true,
    scopeEntities: [],
  })
  expect(await refusal(deleted(global))).toEqual([409, 'SCOPE-2'])
  expect(await refusal(putScope(global, { name: unique('Renamed') }))).toEqual([409, 'SCOPE-3'])
})

test('SCOPE-5, SCOPE-12, SCOPE-17, SCOPE-19: all that holds a scope refuses its deletion, at once', async () => {
  const scope = await newScope()
  await transaction((trx) => insertRole(trx, { name: unique('Role'), privileges: [], scopeId: scope.id }))
  expect(await refusal(deleted(scope))).toEqual([409, 'SCOPE-5'])
  await newEnterprise(unique('Enterprise'), scope.id)
  await newUser({ scopeId: scope.id })
  await newScope({ parent: scope.id })
  expect(await refusal(deleted(scope))).toEqual([409, 'SCOPE-5', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19'])
  expect(await readScope(scope.id)).toEqual(scope)
})

describe('with a template that is shared through the scope', () => {
  const shared = async () => {
    const [owner, user, datacenter] = await Promise.all([newEnterprise(), newEnterprise(), newDatacenter()])
    const scope = await newScope({ enterprises: [owner.id, user.id] })
    const template = await newTemplate({
      enterpriseId: owner.id,
      datacenterId: datacenter.id,
      scopeId: scope.id,
    })
    const use = (enterprise: number) => newMachine({ enterprise, datacenter: datacenter.id, template })
    return { owner, user, scope, use }
  }

  test('SCOPE-10: an enterprise whose machines use it stays in the scope', async () => {
    const { owner, user, scope, use } = await shared()
    await use(user.id)
    expect(await refusal(putScope(scope, { scopeEntities: [ofEnterprise(owner.id)] }))).toEqual([
      409,
      'SCOPE-10',
    ])
    expect(await readScope(scope.id)).toEqual(scope)
    await expectStatus(200, putScope(scope, { scopeEntities: [ofEnterprise(user.id)] }))
  })

  test('SCOPE-11: machines of another enterprise refuse the deletion, those of its own do not', async () => {
    const { owner, user, scope, use } = await shared()
    await use(owner.id)
    await use(user.id)
    expect(await refusal(deleted(scope))).toEqual([409, 'SCOPE-11'])
    const own = await shared()
    await own.use(own.owner.id)
    await expectStatus(204, deleted(own.scope))
  })
})

describe('an enterprise is not removed from a scope', () => {
  test('SCOPE-8: while users of it hold the scope', async () => {
    const [enterprise, other] = await Promise.all([newEnterprise(), newEnterprise()])
    const scope = await newScope({ enterprises: [enterprise.id, other.id] })
    await newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
    expect(await refusal(putScope(scope, { scopeEntities: [ofEnterprise(other.id)] }))).toEqual([
      409,
      'SCOPE-8',
    ])
    await expectStatus(200, putScope(scope, { scopeEntities: [ofEnterprise(enterprise.id)] }))
    await expectStatus(200, putScope(scope, { scopeEntities: [], automaticAddEnterprise: true }))
  })

  test('SCOPE-13: while the scope is its default', async () => {
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const holder = await newEnterprise(unique('Enterprise'), scope.id)
    const entities = [ofEnterprise(enterprise.id), ofEnterprise(holder.id)]
    const both = await expectStatus(200, putScope(scope, { scopeEntities: entities }))
    expect(await refusal(putScope(both, { scopeEntities: entities.slice(0, 1) }))).toEqual([409, 'SCOPE-13'])
    await expectStatus(200, putScope(both, { scopeEntities: entities.slice(1) }))
  })

  test('also not by making an unlimited scope a limited one', async () => {
    const scope = await newScope({ automaticAddEnterprise: true, automaticAddDatacenter: true })
    const user = await newUser({ scopeId: scope.id })
    const limited = { automaticAddEnterprise: false }
    expect(await refusal(putScope(scope, limited))).toEqual([409, 'SCOPE-8'])
    await expectStatus(200, putScope(scope, { ...limited, scopeEntities: [ofEnterprise(user.enterpriseId)] }))
  })

  test('all reasons are reported at once', async () => {
    const scope = await newScope({ automaticAddEnterprise: true })
    const holder = await newEnterprise(unique('Enterprise'), scope.id)
    await newUser({ enterpriseId: holder.id, scopeId: scope.id })
    expect(await refusal(putScope(scope, { automaticAddEnterprise: false }))).toEqual([
      409,
      'SCOPE-8',
      'SCOPE-13',
    ])
  })

  test('but a scope that never contained it may change', async () => {
    const scope = await newScope()
    await newEnterprise(unique('Enterprise'), scope.id)
    await newUser({ scopeId: scope.id })
    await expectStatus(200, putScope(scope, { name: unique('Renamed') }))
  })
})

describe('SCOPE-18', () => {
  test('a scope is neither its own parent nor a child of one of its descendants', async () => {
    const top = await newScope()
    const middle = await newScope({ parent: top.id })
    const bottom = await newScope({ parent: middle.id })
    for (const { id } of [top, middle, bottom]) {
      expect(await refusal(putScope(top, { links: [parentLink(id)] }))).toEqual([409, 'SCOPE-18'])
    }
    await expectStatus(200, putScope(bottom, { links: [parentLink(top.id)] }))
    await expectStatus(200, putScope(middle, { links: [parentLink(bottom.id)] }))
  })
})

describe('SCOPE-20', () => {
  test('a scope that is unlimited in either dimension has no parent', async () => {
    const parent = await newScope()
    for (const flag of ['automaticAddDatacenter', 'automaticAddEnterprise'] as const) {
      expect(await refusal(created(scopeBody({ parent: parent.id, [flag]: true })))).toEqual([
        409,
        'SCOPE-20',
      ])
      const child = await newScope({ parent: parent.id })
      expect(await refusal(putScope(child, { [flag]: true }))).toEqual([409, 'SCOPE-20'])
      expect(await expectStatus(200, putScope(child, { [flag]: true, links: [] }))).toMatchObject({
        [flag]: true,
      })
    }
  })
})
