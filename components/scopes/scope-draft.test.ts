import { expect, test } from 'vitest'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { bodyOf, draftOf, emptyDraft, fieldOf, isChanged, nameFault, onlyRenames } from './scope-draft'

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

test('a change of the name alone is distinguished from other changes', () => {
  expect(onlyRenames({ ...draft, name: 'Iberian peninsula' }, draft)).toBe(true)
  expect(onlyRenames({ ...draft, name: 'Iberian peninsula', datacenters: [] }, draft)).toBe(false)
})

test.each([
  ['SCOPE-0', 'A scope with this name already exists', 'name'],
  ['SCOPE-18', 'Invalid parent scope', 'parent'],
  ['SCOPE-7', 'Invalid scope entity: there is no datacenter 9', 'datacenters'],
  ['SCOPE-7', 'Invalid scope entity: there is no enterprise 9', 'enterprises'],
  ['SCOPE-8', 'Users hold this scope.', 'enterprises'],
  ['CONSTR-LENGTH', 'name must have 1 to 128 characters', 'name'],
  ['GEN-13', 'An unexpected error occurred', undefined],
])('the fault %s (%s) stands at the field that caused it', (code, message, field) => {
  expect(fieldOf({ code, message })).toBe(field)
})

test('a name must be there, must not be too long, and has no control characters', () => {
  expect(nameFault({ ...draft, name: '   ' })).toBe('nameLength')
  expect(nameFault({ ...draft, name: 'x'.repeat(129) })).toBe('nameLength')
  expect(nameFault({ ...draft, name: 'a\u0007b' })).toBe('nameCharacters')
  expect(nameFault(draft)).toBeUndefined()
})
