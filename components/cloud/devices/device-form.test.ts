import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { draftOf, emptyDraft, faultsOf, sentBy } from '#components/base/forms/declared-form'
import { words } from '#lib/words/en/words'
import { deviceForm } from './device-form'
import { listTypes, typeFor } from './device-type'

const says = {
  word: String,
  sayText: createTranslator({ locale: 'en', messages: words, namespace: 'forms.faults' }),
}

const whole = { ...emptyDraft(deviceForm), name: 'Edge', devicetype: { id: 3, name: 'LINUX' } }

test('a faulty text is refused with the limits of the schema, and a missing link in the words of the form', () => {
  expect(faultsOf(says, deviceForm, whole)).toEqual({})
  const faulty = { name: ' ', devicetype: undefined, description: 'x'.repeat(1025), user: 'a\u0000b' }
  expect(faultsOf(says, deviceForm, { ...whole, ...faulty })).toEqual({
    name: 'Enter 1 to 128 characters.',
    devicetype: 'datacenters.deviceForm.typeMissing',
    description: 'Enter 1,024 characters at most.',
    user: 'Control characters cannot be used here.',
  })
})

test('an empty password stays as it is, and null removes it', () => {
  expect(sentBy(deviceForm, whole)).toMatchObject({ devicetype: 3, password: undefined })
  expect(sentBy(deviceForm, { ...whole, password: ' a ' })).toMatchObject({ password: ' a ' })
  expect(sentBy(deviceForm, { ...whole, password: null })).toMatchObject({ password: '' })
})

test('a password is never in the draft of a device', () => {
  const links = [{ rel: 'devicetype', href: '/api/config/devicetypes/3', title: 'LINUX' }]
  expect(draftOf(deviceForm, { ...whole, id: 7, password: 'leaked', links })).toEqual(whole)
})

const types = [
  { id: 3, name: 'FIREWALL', nat: false },
  { id: 4, name: 'LINUX', nat: true },
  { id: 1, name: 'LOGICAL', nat: true },
].map((type) => ({ ...type, links: [] }))

test('a purpose begins with its type; types that support NAT come first, and others are refused where NAT is needed', () => {
  expect(typeFor('carry', types)).toEqual({ id: 4, name: 'LINUX' })
  expect(typeFor('list', types)).toEqual({ id: 1, name: 'LOGICAL' })
  expect(typeFor('carry', [])).toBeUndefined()
  const logical = { value: '1', text: 'LOGICAL', about: 'nat', refused: undefined }
  const firewall = { value: '3', text: 'FIREWALL', about: 'none' }
  const words = { nat: 'nat', noNat: 'none' }
  expect(listTypes(types, { ...words, refused: 'needs NAT' })).toEqual([
    logical,
    { ...firewall, refused: 'needs NAT' },
  ])
  expect(listTypes(types, { ...words, refused: undefined })).toEqual([
    logical,
    { ...firewall, refused: undefined },
  ])
})
