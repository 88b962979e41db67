import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { words } from '#lib/words/en/words'
import { faultOfNewPassword, isSpentLink, refusalOfNewPassword } from './new-password-faults'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'signIn.newPassword' })

const refused = (code: string) => new ApiFailure({ status: 409, faults: [{ code, message: '' }] })

test('a new password needs at least 12 characters, counted as people see them', () => {
  expect(faultOfNewPassword(say, '', 12)).toBe('Enter a new password.')
  expect(faultOfNewPassword(say, 'eleven char', 12)).toBe('This is too short: 11 of at least 12 characters.')
  expect(faultOfNewPassword(say, '🔑'.repeat(11), 12)).toMatch(/11 of at least 12/)
  expect(faultOfNewPassword(say, 'twelve chars', 12)).toBeUndefined()
  expect(faultOfNewPassword(say, 'x'.repeat(1025), 12)).toMatch(/at most 1,024 characters/)
})

test('a refused password is shown at its field, an expired link is not', () => {
  expect(refusalOfNewPassword(say, refused('CONSTR-PATTERN'))).toMatch(
    /This is a common password, or your user name/,
  )
  expect(refusalOfNewPassword(say, refused('CONSTR-LENGTH'))).toBeDefined()
  expect(refusalOfNewPassword(say, refused('SIGN-IN-4'))).toBeUndefined()
  expect(isSpentLink(refused('SIGN-IN-4'))).toBe(true)
  expect(isSpentLink(refused('CONSTR-LENGTH'))).toBe(false)
})
