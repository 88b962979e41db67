import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
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

type Document = {
  id: number
  name: string
  links: { rel: string; href: string; title?: string }[]
  scopeEntities: { id: number; idResource: number }[]
}

const parentOf = ({ links }: Document) => links.find(({ rel }) => rel === 'scopeParent')?.title

/** The ids of all scopes that the list shows. */
async function listed(as: User): Promise<number[]> {
  const { collection, totalSize } = await expectStatus(200, call('GET', `${SCOPES}?limit=0&by=id`, { as }))
  expect(collection).toHaveLength(totalSize)
  return collection.map(({ id }: { id: number }) => id)
}

/** above ─ own ─ child ─ grandchild, and beside: own names one enterprise and one datacenter; a user holds it. */
async function family(flags: { automaticAddDatacenter?: boolean; automaticAddEnterprise?: boolean } = {}) {
  const limited = !flags.automaticAddDatacenter && !flags.automaticAddEnterprise
  const [enterprise, datacenter, above] = await Promise.all([newEnterprise(), newDatacenter(), newScope()])
  const entities = { enterprises: [enterprise.id], datacenters: [datacenter.id] }
  const own = await newScope({ ...entities, ...flags, ...(limited && { parent: above.id }) })
  const child = await newScope({ parent: own.id })
  const grandchild = await newScope({ parent: child.id })
  const beside = await newScope(limited ? { parent: above.id } : {})
  const user = await newUser({ scopeId: own.id })
  return { enterprise, datacenter, above, own, child, grandchild, beside, user }
}

describe('a limited caller', () => {
  test('sees the own scope and its descendants only', async () => {
    const { above, own, child, grandchild, beside, user } = await family()
    const halves = [
      await newScope({ automaticAddDatacenter: true }),
      await newScope({ automaticAddEnterprise: true }),
    ]
    expect(await listed(user)).toEqual([own.id, child.id, grandchild.id])
    for (const { id } of [own, child, grandchild]) expect(await readScope(id, user)).toMatchObject({ id })
    for (const { id } of [above, beside, ...halves, { id: 1 }]) {
      expect(await refusal(call('GET', scopePath(id), { as: user }))).toEqual([404, 'SCOPE-1'])
      expect(await refusal(putScope({ id }, scopeBody(), user))).toEqual([404, 'SCOPE-1'])
      expect(await refusal(call('DELETE', scopePath(id), { as: user }))).toEqual([404, 'SCOPE-1'])
    }
  })

  test('finds no other scope by name, and does not learn that its parent has one', async () => {
    const { above, own, child, user } = await family()
    const query = `?has=${encodeURIComponent(above.name)}`
    expect(await expectStatus(200, call('GET', SCOPES + query, { as: user }))).toMatchObject({
      collection: [],
      totalSize: 0,
    })
    expect(parentOf(await readScope(own.id, user))).toBeUndefined()
    expect(parentOf(await readScope(child.id, user))).toBe(own.name)
  })

  test('without a scope of their own gets their enterprise’s default', async () => {
    const scope = await newScope()
    const { id } = await newEnterprise(unique('Enterprise'), scope.id)
    expect(await listed(await newUser({ enterpriseId: id }))).toEqual([scope.id])
  })

  test('sees only the visible entities of a scope', async () => {
    const { enterprise, datacenter, child, user } = await family()
    const [hidden, away] = await Promise.all([newEnterprise(), newDatacenter()])
    const scopeEntities = [
      ofEnterprise(hidden.id),
      ofEnterprise(enterprise.id),
      ofDatacenter(away.id),
      ofDatacenter(datacenter.id),
      ofEnterprise(user.enterpriseId),
    ]
    await expectStatus(200, putScope(child, { scopeEntities }))
    const seen: Document = await readScope(child.id, user)
    expect(seen.scopeEntities.map(({ idResource }) => idResource).sort()).toEqual(
      [enterprise.id, datacenter.id, user.enterpriseId].sort(),
    )
  })

  test('replaces visible entities: hidden ones stay as they are, with their ids', async () => {
    const { enterprise, datacenter, child, user } = await family()
    const [hidden, away] = await Promise.all([newEnterprise(), newDatacenter()])
    const kept = [ofEnterprise(hidden.id), ofDatacenter(away.id)]
    const scopeEntities = [...kept, ofEnterprise(enterprise.id), ofDatacenter(datacenter.id)]
    const before: Document = await expectStatus(200, putScope(child, { scopeEntities }))
    expect(await expectStatus(200, putScope(child, { scopeEntities: [] }, user))).toMatchObject({
      scopeEntities: [],
    })
    const after: Document = await readScope(child.id)
    expect(after.scopeEntities).toEqual(
      before.scopeEntities.filter((entity) =>
        kept.some(
          ({ idResource, type }) =>
            entity.idResource === idResource && 'type' in entity && entity.type === type,
        ),
      ),
    )
    expect(after.scopeEntities).toHaveLength(2)
  })

  test('cannot name hidden resources: SCOPE-7, SCOPE-1', async () => {
    const { beside, user } = await family()
    const [hidden, away] = await Promise.all([newEnterprise(), newDatacenter()])
    const body = scopeBody({ enterprises: [hidden.id], datacenters: [away.id], parent: beside.id })
    const [status, ...codes] = await refusal(call('POST', SCOPES, { as: user, body }))
    expect([status, codes.sort()]).toEqual([404, ['SCOPE-1', 'SCOPE-7', 'SCOPE-7']])
  })

  test('cannot list the scopes of a hidden enterprise (EN-0), but can those of their own', async () => {
    const { enterprise, own, user } = await family()
    const hidden = await newEnterprise()
    expect(await refusal(call('GET', `${SCOPES}?enterprise=${hidden.id}`, { as: user }))).toEqual([
      404,
      'EN-0',
    ])
    const { collection } = await expectStatus(
      200,
      call('GET', `${SCOPES}?enterprise=${enterprise.id}`, { as: user }),
    )
    expect(collection.map(({ id }: Document) => id)).toEqual([own.id])
    await expectStatus(200, call('GET', `${SCOPES}?enterprise=${user.enterpriseId}`, { as: user }))
  })
})

describe('a scope that a limited caller writes', () => {
  test('has their own as parent by default, on create and update (docs/api/scopes.md, "Scope documents")', async () => {
    const { own, grandchild, user } = await family()
    expect(parentOf(await newScope({}, user))).toBe(own.name)
    expect(parentOf(await expectStatus(200, putScope(grandchild, { links: [] }, user)))).toBe(own.name)
  })

  test('moves within their visibility', async () => {
    const { own, child, grandchild, user } = await family()
    const moved = await expectStatus(200, putScope(grandchild, { links: [parentLink(own.id)] }, user))
    expect(parentOf(moved)).toBe(own.name)
    expect(await refusal(putScope(own, { links: [parentLink(child.id)] }, user))).toEqual([409, 'SCOPE-18'])
  })

  test('stays where it is if it is the caller’s own, whose parent is hidden', async () => {
    const { above, own, user } = await family()
    const seen = await readScope(own.id, user)
    const name = unique('Renamed')
    expect(await expectStatus(200, putScope(seen, { name }, user))).toMatchObject({ id: own.id, name })
    expect(parentOf(await readScope(own.id))).toBe(above.name)
  })

  test('cannot be made unlimited (SCOPE-21), each dimension by itself', async () => {
    const { child, user } = await family()
    for (const flag of ['automaticAddDatacenter', 'automaticAddEnterprise'] as const) {
      expect(await refusal(call('POST', SCOPES, { as: user, body: scopeBody({ [flag]: true }) }))).toEqual([
        403,
        'SCOPE-21',
      ])
      expect((await refusal(putScope(child, { [flag]: true }, user)))[1]).toBe('SCOPE-21')
    }
  })

  test('is deleted like any other', async () => {
    const { grandchild, user } = await family()
    await expectStatus(204, call('DELETE', scopePath(grandchild.id), { as: user }))
    expect(await refusal(call('GET', scopePath(grandchild.id)))).toEqual([404, 'SCOPE-1'])
  })
})

describe.each([
  ['automaticAddDatacenter', 'automaticAddEnterprise'],
  ['automaticAddEnterprise', 'automaticAddDatacenter'],
] as const)('a caller who is unlimited by %s alone', (mine, other) => {
  test('makes scopes unlimited in that dimension, and sees them (docs/api/authorization.md, "Visibility")', async () => {
    const { user } = await family({ [mine]: true })
    const made = await newScope({ [mine]: true }, user)
    expect(parentOf(made)).toBeUndefined()
    expect(await listed(user)).toContain(made.id)
    await expectStatus(200, putScope(made, { name: unique('Renamed') }, user))
    await expectStatus(204, call('DELETE', scopePath(made.id), { as: user }))
  })

  test('makes none unlimited in the other one', async () => {
    const { user } = await family({ [mine]: true })
    const flags = [{ [other]: true }, { [mine]: true, [other]: true }]
    for (const body of flags.map(scopeBody)) {
      expect(await refusal(call('POST', SCOPES, { as: user, body }))).toEqual([403, 'SCOPE-21'])
    }
  })

  test('sees the own scope with its descendants, and roots that are unlimited in no other dimension', async () => {
    const { own, child, grandchild, beside, user } = await family({ [mine]: true })
    const alike = await newScope({ [mine]: true })
    const more = await newScope({ [mine]: true, [other]: true })
    const different = await newScope({ [other]: true })
    const below = await newScope({ parent: alike.id })
    const seen = await listed(user)
    expect(seen).toEqual(expect.arrayContaining([own.id, child.id, grandchild.id, alike.id]))
    for (const { id } of [beside, more, different, below, { id: 1 }]) {
      expect(seen).not.toContain(id)
      expect(await refusal(call('GET', scopePath(id), { as: user }))).toEqual([404, 'SCOPE-1'])
    }
  })

  test('sees everything of that dimension in a scope, and of the other only their own scope’s entities', async () => {
    const { child, enterprise, datacenter, user } = await family({ [mine]: true })
    const [hidden, away] = await Promise.all([newEnterprise(), newDatacenter()])
    const scopeEntities = [
      ofEnterprise(hidden.id),
      ofDatacenter(away.id),
      ofEnterprise(enterprise.id),
      ofDatacenter(datacenter.id),
    ]
    await expectStatus(200, putScope(child, { scopeEntities }))
    const { scopeEntities: seen } = await readScope(child.id, user)
    expect(seen).toHaveLength(3)
    expect(
      seen.map(({ idResource, type }: { idResource: number; type: string }) => `${type} ${idResource}`),
    ).toContain(mine === 'automaticAddDatacenter' ? `DATACENTER ${away.id}` : `ENTERPRISE ${hidden.id}`)
  })

  test('limits a scope and finds it below their own', async () => {
    const { own, user } = await family({ [mine]: true })
    const made = await newScope({ [mine]: true }, user)
    expect(parentOf(await expectStatus(200, putScope(made, { [mine]: false }, user)))).toBe(own.name)
  })
})

test('a caller who is unlimited in both dimensions sees every scope, whatever their own', async () => {
  const { above, own, grandchild } = await family()
  const scope = await newScope({ automaticAddDatacenter: true, automaticAddEnterprise: true })
  const user = await newUser({ scopeId: scope.id })
  expect(await listed(user)).toEqual(expect.arrayContaining([1, above.id, own.id, grandchild.id]))
  expect(parentOf(await newScope({}, user))).toBeUndefined()
})
