import { expect, test } from 'vitest'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { bodyOf, checkDraft, draftOf, emptyDraft, isChanged, placeFaults, rebase } from './scope-draft'

const entity = (idResource: number, type: 'ENTERPRISE' | 'DATACENTER') => ({
  links: [],
  id: 1,
  idResource,
  type,
})

const iberia: ScopeDocument = {
  links: [{ rel: 'scopeParent', href: 'http://host/api/admin/scopes/1', title: 'Global scope' }],
  id: 5,
  name: 'Iberia',
  automaticAddDatacenter: false,
  automaticAddEnterprise: false,
  scopeEntities: [entity(11, 'ENTERPRISE'), entity(12, 'ENTERPRISE'), entity(3, 'DATACENTER')],
}

const draft = draftOf(iberia)

test('an untouched draft sends the scope as it was', () => {
  expect(bodyOf(draft, 5)).toEqual({
    id: 5,
    name: 'Iberia',
    automaticAddDatacenter: false,
    automaticAddEnterprise: false,
    scopeEntities: [
      { idResource: 11, type: 'ENTERPRISE' },
      { idResource: 12, type: 'ENTERPRISE' },
      { idResource: 3, type: 'DATACENTER' },
    ],
    links: [{ rel: 'scopeParent', href: '/api/admin/scopes/1' }],
  })
})

test('a new scope sends no id, and a root no parent', () => {
  expect(bodyOf(emptyDraft(undefined))).not.toHaveProperty('id')
  expect(bodyOf(emptyDraft(undefined)).links).toEqual([])
})

test('an unlimited scope sends no parent but keeps what it names', () => {
  const body = bodyOf({ ...draft, allEnterprises: true }, 5)
  expect(body.links).toEqual([])
  expect(body.scopeEntities).toHaveLength(3)
})

test('the order of what is chosen is no change', () => {
  expect(isChanged({ ...draft, enterprises: [12, 11] }, draft)).toBe(false)
  expect(isChanged({ ...draft, enterprises: [11] }, draft)).toBe(true)
  expect(isChanged({ ...draft, parent: undefined }, draft)).toBe(true)
})

test('own changes survive those of somebody else', () => {
  const mine = { ...draft, name: 'Iberian peninsula', enterprises: [12, 14] }
  const theirs = { ...draft, name: 'Iberia 2', datacenters: [3, 4], enterprises: [11, 12, 13] }
  expect(rebase(mine, draft, theirs)).toEqual({
    ...draft,
    name: 'Iberian peninsula',
    datacenters: [3, 4],
    enterprises: [12, 13, 14],
  })
})

test('faults stand at the field that caused them', () => {
  const { fields, rest } = placeFaults([
    { code: 'SCOPE-0', message: 'A scope of this name exists already' },
    { code: 'SCOPE-18', message: 'Invalid parent scope' },
    { code: 'SCOPE-7', message: 'The datacenter 9 does not exist' },
    { code: 'SCOPE-8', message: 'Users hold this scope.' },
    { code: 'SCOPE-13', message: 'It is the default scope.' },
    { code: 'GEN-13', message: 'Unexpected fault' },
  ])
  expect(fields).toEqual({
    name: 'A scope of this name exists already (SCOPE-0)',
    parent: 'Invalid parent scope (SCOPE-18)',
    datacenters: 'The datacenter 9 does not exist (SCOPE-7)',
    enterprises: 'Users hold this scope. (SCOPE-8) It is the default scope. (SCOPE-13)',
  })
  expect(rest.map(({ code }) => code)).toEqual(['GEN-13'])
})

test('a name must be there and must not be too long', () => {
  expect(checkDraft({ ...draft, name: '   ' })).toEqual({ name: 'The name must have 1 to 128 characters.' })
  expect(checkDraft({ ...draft, name: 'x'.repeat(129) }).name).toBeDefined()
  expect(checkDraft(draft)).toEqual({})
})
