import { expect, test } from 'vitest'
import { isAppCode, isScratchCode, plainCode } from './verification-code'

test('gaps and dashes of a typed code are dropped', () => {
  expect(plainCode(' 123 456 ')).toBe('123456')
  expect(plainCode('1234-5678\n')).toBe('12345678')
})

test('six digits are a code of the app, eight a scratch code, anything else neither', () => {
  expect([isAppCode('012345'), isScratchCode('012345')]).toEqual([true, false])
  expect([isAppCode('01234567'), isScratchCode('01234567')]).toEqual([false, true])
  for (const code of ['', '12345', '1234567', '12345a', '123456789']) {
    expect([isAppCode(code), isScratchCode(code)]).toEqual([false, false])
  }
})
