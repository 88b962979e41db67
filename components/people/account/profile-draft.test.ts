import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words as messages } from '#lib/words/en/words'
import { checkProfile } from './profile-draft'

const locale = 'en-US'
const sayText = createTranslator({ locale, messages, namespace: 'forms.faults' })
const sayEmail = createTranslator({ locale, messages, namespace: 'users.faults' })

const profile = { name: 'Ana', surname: '', email: '', description: '', locale: 'es_ES' }
const faultsOf = (changes: Partial<typeof profile>) =>
  Object.keys(checkProfile(sayText, sayEmail, { ...profile, ...changes }))

test('only the name is required', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ name: '  ' })).toEqual(['name'])
})

test('a fault that the server would find is shown at its field', () => {
  expect(faultsOf({ email: 'ana at home', surname: 'x'.repeat(129) })).toEqual(['surname', 'email'])
  expect(faultsOf({ email: ' ana@example.org ' })).toEqual([])
})
