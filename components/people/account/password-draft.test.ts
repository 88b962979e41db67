import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { words as messages } from '#lib/words/en/words'
import { faultsOf, lengthHint, refusalOf } from './password-draft'

const locale = 'en-US'
const say = createTranslator({ locale, messages, namespace: 'account.password' })
const sayNew = createTranslator({ locale, messages, namespace: 'signIn.newPassword' })
const words = { say, sayNew }

const draft = { oldPassword: 'the old password', password: 'a new long password' }

test('a valid draft has no fault', () => {
  expect(faultsOf(words, draft, { nick: 'ana', least: 12 })).toEqual({})
})

test('both fields are required', () => {
  expect(Object.keys(faultsOf(words, { oldPassword: '', password: '' }, { nick: 'ana', least: 12 }))).toEqual(
    ['oldPassword', 'password'],
  )
})

test.each([
  ['eleven char', /12 characters/],
  ['ana.berg.nick', /user name/],
  ['ANA.Berg.Nick', /user name/],
  ['ana.berg.nick1!', /user name/],
  ['the old password', /your current password/],
])('%j is refused at the new password', (password, message) => {
  expect(faultsOf(words, { ...draft, password }, { nick: 'ana.berg.nick', least: 12 })).toEqual({
    password: expect.stringMatching(message),
  })
})

const refused = (status: number, code: string) => new ApiFailure({ status, faults: [{ code, message: '' }] })

test('a refusal of the server belongs to a field', () => {
  expect(Object.keys(refusalOf(words, refused(409, 'SIGN-IN-3')))).toEqual(['oldPassword'])
  expect(Object.keys(refusalOf(words, refused(400, 'CONSTR-PATTERN')))).toEqual(['password'])
  expect(refusalOf(words, refused(500, 'GEN-0'))).toEqual({})
  expect(refusalOf(words, new Error('bug'))).toEqual({})
})

test('the hint counts characters, not their parts', () => {
  expect(lengthHint(say, '', 12)).toContain('At least 12 characters')
  expect(lengthHint(say, 'ñandú🦤', 12)).toBe('6 of at least 12 characters.')
  expect(lengthHint(say, '🦤'.repeat(12), 12)).toBe('12 characters: long enough.')
})
