import { expect, test } from 'vitest'
import { refusalOf, unlimitedMark } from './scope-rules'

const everything = { id: 1, name: 'Global scope', allDatacenters: true, allEnterprises: true }
const limited = { id: 5, name: 'Iberia', allDatacenters: false, allEnterprises: false }
const scope = { id: 5, name: 'Iberia', automaticAddDatacenter: false, automaticAddEnterprise: false }
const globalScope = {
  id: 1,
  name: 'Global scope',
  automaticAddDatacenter: true,
  automaticAddEnterprise: true,
}

test('the global scope takes children and nothing else', () => {
  expect(refusalOf('newChild', globalScope, everything)).toBeUndefined()
  expect(refusalOf('edit', globalScope, everything)).toBe('globalChange')
  expect(refusalOf('delete', globalScope, everything)).toBe('globalDelete')
})

test('an unlimited scope cannot be moved below another', () => {
  expect(refusalOf('move', { ...scope, automaticAddEnterprise: true }, everything)).toBe('unlimitedMove')
  expect(refusalOf('move', scope, everything)).toBeUndefined()
})

test('a limited user cannot move the own scope', () => {
  expect(refusalOf('move', scope, limited)).toBe('ownMove')
  expect(refusalOf('edit', scope, limited)).toBeUndefined()
})

test('a scope is marked by its unlimited dimensions', () => {
  expect(unlimitedMark(scope)).toBeUndefined()
  expect(unlimitedMark(globalScope)).toBe('unlimited')
  expect(unlimitedMark({ ...scope, automaticAddDatacenter: true })).toBe('datacenters')
})
