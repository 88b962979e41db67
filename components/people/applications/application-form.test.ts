import { expect, test } from 'vitest'
import { emptyDraft, faultsOf, sentBy } from '#components/base/forms/declared-form'
import { applicationForm } from './application-form-page'

const draft = { ...emptyDraft(applicationForm), name: ' Counter ' }

const says = { word: String, sayText: ((key: string) => key) as never }
const faults = (changes: Partial<typeof draft>) => faultsOf(says, applicationForm, { ...draft, ...changes })

test('all privileges are sent as an empty list', () => {
  expect(sentBy(applicationForm, draft)).toEqual({
    name: 'Counter',
    description: '',
    publicKey: '',
    privilege: [],
  })
  expect(sentBy(applicationForm, { ...draft, privilege: ['USERS_VIEW'] })).toMatchObject({
    privilege: ['USERS_VIEW'],
  })
})

test('a public key is PEM and limited in length', () => {
  const pem = (body: string) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`
  expect(faults({ publicKey: pem('MIIB') })).toEqual({})
  expect(faults({ publicKey: 'ssh-rsa AAAA' })).toEqual({ publicKey: 'applications.form.noKey' })
  expect(faults({ publicKey: pem('x'.repeat(20_000)) })).toEqual({ publicKey: 'tooLong' })
})
