import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { checkUser, emptyUser, sentUser, type UserDraft } from './user-draft'

const say = createTranslator({ locale: 'en', messages: words, namespace: 'users.faults' })
const sayText = createTranslator({ locale: 'en', messages: words, namespace: 'forms.faults' })

const person: UserDraft = {
  ...emptyUser({ id: 1, name: 'Cloud' }, 'es_ES'),
  nick: ' nina ',
  name: 'Nina',
  role: { id: 3, name: 'USER' },
}
const faultsOf = (changes: Partial<UserDraft>, isNew = false) =>
  Object.keys(checkUser({ say, sayText }, { ...person, ...changes }, { isNew, least: 12 })).sort()

test('a draft is sent without the space around its texts, and without an empty password', () => {
  expect(sentUser(person)).toMatchObject({ nick: 'nina', enterprise: 1, role: 3, scope: undefined })
  expect(sentUser(person)).not.toHaveProperty('password')
  expect(sentUser(person)).not.toHaveProperty('network')
})

test('each fault is reported at its field', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({}, true)).toEqual(['password'])
  expect(faultsOf({ password: 'short' })).toEqual(['password'])
  expect(faultsOf({ nick: 'nina of the desk', password: 'Nina of the desk' })).toEqual(['password'])
  expect(faultsOf({ nick: 'a:b', email: 'nobody', role: undefined })).toEqual(['email', 'nick', 'role'])
  expect(faultsOf({ network: '192.0.2.0/24' })).toEqual(['allowedCIDRs'])
})
