import { expect, test } from 'vitest'
import { fieldOfFault } from './form-faults'

test.each([
  ['name', 'name'],
  ['allowedCIDRs.0', 'allowedCIDRs'],
  ['privilege', 'privileges'],
  ['entries.1.id', 'second'],
  ['entries.2.id', 'entries'],
  ['entriesToo', undefined],
  ['toString', undefined],
  [undefined, undefined],
])('a fault of %s is shown at the field %s of the form', (field, shown) => {
  const draft = { name: '', allowedCIDRs: [], entries: [], privileges: [] }
  const names = { privilege: 'privileges', 'entries.1': 'second' }
  expect(fieldOfFault({ code: '', message: '', ...(field && { field }) }, draft, names)).toBe(shown)
})
