import { expect, test } from 'vitest'
import { fieldOfFault } from '#components/base/forms/form-faults'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { bodyOf, draftOf, emptyDraft, isChanged, nameFault, onlyRenames, scopeNames } from './scope-draft'

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

test('an unlimited scope sends no parent but keeps its entities', () => {
  const body = bodyOf({ ...draft, allEnterprises: true }, 5)
  expect(body.links).toEqual([])
  expect(body.scopeEntities).toHaveLength(3)
})

test('the order of the selection is not a change', () => {
  expect(isChanged({ ...draft, enterprises: [12, 11] }, draft)).toBe(false)
  expect(isChanged({ ...draft, enterprises: [11] }, draft)).toBe(true)
  expect(isChanged({ ...draft, parent: undefined }, draft)).toBe(true)
})

test('a change of the name alone is distinguished from other changes', () => {
  expect(onlyRenames({ ...draft, name: 'Iberian peninsula' }, draft)).toBe(true)
  expect(onlyRenames({ ...draft, name: 'Iberian peninsula', datacenters: [] }, draft)).toBe(false)
})

test.each([
  ['name', 'name'],
  ['scopeParent', 'parent'],
  ['automaticAddEnterprise', 'unlimited'],
  ['scopeEntities', 'enterprises'],
  ['scopeEntities.0.idResource', 'enterprises'],
  ['scopeEntities.1.idResource', 'datacenters'],
  ['id', undefined],
])('a fault of %s is shown at %s', (field, shown) => {
  const sent = { ...draft, enterprises: [4], datacenters: [9] }
  expect(fieldOfFault({ code: '', message: '', field }, sent, scopeNames(sent))).toBe(shown)
})

test('a name must be there, must not be too long, and has no control characters', () => {
  expect(nameFault({ ...draft, name: '   ' })).toBe('nameLength')
  expect(nameFault({ ...draft, name: 'x'.repeat(129) })).toBe('nameLength')
  expect(nameFault({ ...draft, name: 'a\u0007b' })).toBe('nameCharacters')
  expect(nameFault(draft)).toBeUndefined()
})
