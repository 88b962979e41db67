import { expect, test } from 'vitest'
import { isAnyCode, isFreshCode, isScratchCode, plainCode } from './verification-code'

test('gaps and dashes of a typed code are dropped', () => {
  expect(plainCode(' 123 456 ')).toBe('123456')
  expect(plainCode('1234-5678\n')).toBe('12345678')
})

const kindsOf = (code: string) => [isFreshCode(code), isScratchCode(code), isAnyCode(code)]

test('six digits are a code of the app or of a mail, eight a scratch code, anything else neither', () => {
  expect(kindsOf('012345')).toEqual([true, false, true])
  expect(kindsOf('01234567')).toEqual([false, true, true])
  for (const code of ['', '12345', '1234567', '12345a', '123456789']) {
    expect(kindsOf(code)).toEqual([false, false, false])
  }
})
