import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { clockHint, isAnyCode, isFreshCode, plainCode } from './verification-code'

test('gaps and dashes of a typed code are dropped', () => {
  expect(plainCode(' 123 456 ')).toBe('123456')
  expect(plainCode('1234-5678\n')).toBe('12345678')
})

const kindsOf = (code: string) => [isFreshCode(code), isAnyCode(code)]

test('six digits are a code of the app or of a mail, eight a scratch code, anything else neither', () => {
  expect(kindsOf('012345')).toEqual([true, true])
  expect(kindsOf('01234567')).toEqual([false, true])
  for (const code of ['', '12345', '1234567', '12345a', '123456789']) {
    expect(kindsOf(code)).toEqual([false, false])
  }
})

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'common.clock' })

test.each([
  [-300, 'about 5 minutes behind'],
  [300, 'about 5 minutes ahead'],
  [60, 'about 1 minute ahead'],
  [-90, 'about 2 minutes behind'],
  [3600, 'about 60 minutes ahead'],
])('%i seconds are %s', (offset, hint) => {
  expect(clockHint(say, offset)).toContain(hint)
})
