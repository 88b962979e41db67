import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words as messages } from '#lib/words/en/words'
import {
  type ApplicationDraft,
  checkApplication,
  emptyApplication,
  sentApplication,
} from './application-draft'

const locale = 'en-US'
const say = createTranslator({ locale, messages, namespace: 'applications.form' })
const sayText = createTranslator({ locale, messages, namespace: 'forms.faults' })

const faultsOf = (changes: Partial<ApplicationDraft>) =>
  checkApplication(say, sayText, { ...emptyApplication, name: 'Counter', ...changes })

test('a name is needed; privileges only where some are to be chosen', () => {
  expect(faultsOf({})).toEqual({})
  expect(faultsOf({ name: ' ' })).toEqual({ name: 'Enter 1 to 128 characters.' })
  expect(faultsOf({ reach: 'some' })).toEqual({ privileges: 'Choose at least one privilege.' })
  expect(faultsOf({ reach: 'some', privileges: ['USERS_VIEW'] })).toEqual({})
})

test('a public key is PEM and limited in length', () => {
  const pem = (body: string) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`
  expect(faultsOf({ publicKey: pem('MIIB') })).toEqual({})
  expect(faultsOf({ publicKey: 'ssh-rsa AAAA' }).publicKey).toMatch(/not a public key in PEM/)
  expect(faultsOf({ publicKey: pem('x'.repeat(20_000)) }).publicKey).toBe('Enter 16,384 characters at most.')
})

test('all privileges are sent as an empty list', () => {
  const draft: ApplicationDraft = {
    ...emptyApplication,
    name: ' Counter ',
    privileges: ['ENTERPRISE_ENUMERATE'],
  }
  expect(sentApplication(draft)).toMatchObject({ name: 'Counter', privileges: [] })
  expect(sentApplication({ ...draft, reach: 'some' })).toMatchObject({ privileges: [1] })
})
