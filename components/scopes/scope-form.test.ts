import { expect, test } from 'vitest'
import { draftOf, emptyDraft, sentBy } from '#components/base/forms/declared-form'
import { fieldOfFault } from '#components/base/forms/form-faults'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { scopeBody } from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { needsReview, scopeForm, scopeNames } from './scope-form'

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
  ...noNotes,
  scopeEntities: [entity(12, 'ENTERPRISE'), entity(11, 'ENTERPRISE'), entity(3, 'DATACENTER')],
}

const draft = draftOf(scopeForm, iberia)
const bodyOf = (changes: Partial<typeof draft>, current?: ScopeDocument) =>
  scopeBody(sentBy(scopeForm, { ...draft, ...changes }), current)
const asksFor = (changes: Partial<typeof draft>) =>
  needsReview(sentBy(scopeForm, { ...draft, ...changes }), draft)

test('an untouched draft sends the scope as it was', () => {
  expect(bodyOf({}, iberia)).toEqual({
    id: 5,
    name: 'Iberia',
    automaticAddDatacenter: false,
    automaticAddEnterprise: false,
    ...noNotes,
    scopeEntities: [
      { idResource: 11, type: 'ENTERPRISE' },
      { idResource: 12, type: 'ENTERPRISE' },
      { idResource: 3, type: 'DATACENTER' },
    ],
    links: [{ rel: 'scopeParent', href: '/api/admin/scopes/1' }],
  })
})

test('a new scope sends no id, and a root no parent', () => {
  const body = scopeBody(sentBy(scopeForm, emptyDraft(scopeForm)))
  expect(body).not.toHaveProperty('id')
  expect(body.links).toEqual([])
})

test('an unlimited scope sends no parent but keeps its entities', () => {
  const body = bodyOf({ automaticAddEnterprise: true }, iberia)
  expect(body.links).toEqual([])
  expect(body.scopeEntities).toHaveLength(3)
})

test('a change of the name alone needs no review', () => {
  expect(asksFor({ name: 'Iberian peninsula' })).toBe(false)
  expect(asksFor({ name: 'Iberian peninsula', datacenters: [] })).toBe(true)
  expect(asksFor({ enterprises: [11] })).toBe(true)
  expect(asksFor({ scopeParent: undefined })).toBe(true)
})

test.each([
  ['name', 'name'],
  ['scopeParent', 'scopeParent'],
  ['automaticAddDatacenter', 'automaticAddEnterprise'],
  ['scopeEntities', 'enterprises'],
  ['scopeEntities.0.idResource', 'enterprises'],
  ['scopeEntities.1.idResource', 'datacenters'],
  ['id', undefined],
])('a fault of %s is shown at %s', (field, shown) => {
  const sent = { ...draft, enterprises: [4], datacenters: [9] }
  expect(fieldOfFault({ code: '', message: '', field }, sent, scopeNames(sent))).toBe(shown)
})
