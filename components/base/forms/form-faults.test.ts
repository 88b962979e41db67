import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { deviceInput } from '#lib/cloud/infrastructure/devices.schema'
import { words } from '#lib/words/en/words'
import { fieldOfFault, textFaults } from './form-faults'

const say = createTranslator({ locale: 'en', messages: words, namespace: 'forms.faults' })

const whole = { name: 'Edge', description: '', endpoint: '', user: '', password: '' }

test('a faulty text is refused with the limits of the schema', () => {
  expect(textFaults(say, deviceInput, whole)).toEqual({})
  expect(
    textFaults(say, deviceInput, { ...whole, name: '', description: 'x'.repeat(1025), user: 'a\u0000' }),
  ).toEqual({
    name: 'Enter 1 to 128 characters.',
    description: 'Enter 1,024 characters at most.',
    user: 'Control characters cannot be used here.',
  })
})

test('fields that are no text are not checked', () => {
  expect(textFaults(say, deviceInput, { ...whole, links: [] })).toEqual({})
})

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
