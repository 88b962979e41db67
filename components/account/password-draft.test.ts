import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { faultsOf, lengthHint, refusalOf } from './password-draft'

const draft = { oldPassword: 'the old password', password: 'a new long password' }

test('a draft without fault has none', () => {
  expect(faultsOf(draft, 'ana')).toEqual({})
})

test('both fields are asked for', () => {
  expect(Object.keys(faultsOf({ oldPassword: '', password: '' }, 'ana'))).toEqual(['oldPassword', 'password'])
})

test.each([
  ['eleven char', /12 characters/],
  ['ana.berg.nick', /nick/],
  ['ANA.Berg.Nick', /nick/],
  ['the old password', /that you have now/],
])('%j is refused at the new password', (password, message) => {
  expect(faultsOf({ ...draft, password }, 'ana.berg.nick')).toEqual({
    password: expect.stringMatching(message),
  })
})

const refused = (status: number, code: string) => new ApiFailure({ status, faults: [{ code, message: '' }] })

test('a refusal of the server belongs to a field', () => {
  expect(Object.keys(refusalOf(refused(409, 'SIGN-IN-3')))).toEqual(['oldPassword'])
  expect(Object.keys(refusalOf(refused(400, 'CONSTR-PATTERN')))).toEqual(['password'])
  expect(refusalOf(refused(500, 'GEN-0'))).toEqual({})
  expect(refusalOf(new Error('bug'))).toEqual({})
})

test('the hint counts characters, not their parts', () => {
  expect(lengthHint('')).toContain('12 characters at least')
  expect(lengthHint('ñandú🦤')).toBe('6 of at least 12 characters.')
  expect(lengthHint('🦤'.repeat(12))).toBe('12 characters: long enough.')
})
