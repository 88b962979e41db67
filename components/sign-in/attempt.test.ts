import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { emptyFields, refusalOf, stepAfter } from './attempt'

const refused = (code: string) => new ApiFailure({ status: 401, faults: [{ code, message: '' }] })
const unreachable = new ApiFailure({ status: 0, faults: [{ code: 'NETWORK', message: '' }] })

test('each step asks for its own fields', () => {
  const fields = { nick: ' ', password: '', code: '' }
  expect(Object.keys(emptyFields(fields, 'password'))).toEqual(['nick', 'password'])
  expect(Object.keys(emptyFields(fields, 'code'))).toEqual(['code'])
  expect(emptyFields({ nick: 'ada', password: 'x', code: '' }, 'password')).toEqual({})
})

test('a password of spaces alone is one', () => {
  expect(emptyFields({ nick: 'ada', password: '  ', code: '' }, 'password')).toEqual({})
})

test('a refusal belongs to a field', () => {
  expect(refusalOf(refused('SIGN-IN-0'))?.field).toBe('password')
  expect(refusalOf(refused('SIGN-IN-2'))?.field).toBe('code')
  expect(refusalOf(refused('SIGN-IN-1'))).toBeUndefined()
  expect(refusalOf(unreachable)).toBeUndefined()
})

test('the code is asked for once the password was right', () => {
  expect(stepAfter(refused('SIGN-IN-1'), 'password')).toBe('code')
  expect(stepAfter(refused('SIGN-IN-2'), 'code')).toBe('code')
  expect(stepAfter(unreachable, 'code')).toBe('code')
})

test('a password that is right no more is asked for again', () => {
  expect(stepAfter(refused('SIGN-IN-0'), 'code')).toBe('password')
})
