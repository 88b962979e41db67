import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { faultOfNewPassword, isSpentLink, refusalOfNewPassword } from './new-password-faults'

const refused = (code: string) => new ApiFailure({ status: 409, faults: [{ code, message: '' }] })

test('a new password has 12 characters at least, counted as people count', () => {
  expect(faultOfNewPassword('')).toBe('Enter a new password.')
  expect(faultOfNewPassword('eleven char')).toBe('This is too short: 11 of at least 12 characters.')
  expect(faultOfNewPassword('🔑'.repeat(11))).toMatch(/11 of at least 12/)
  expect(faultOfNewPassword('twelve chars')).toBeUndefined()
  expect(faultOfNewPassword('x'.repeat(1025))).toMatch(/1024 characters at most/)
})

test('what the server refuses is told at the field, a link that is spent is not', () => {
  expect(refusalOfNewPassword(refused('CONSTR-PATTERN'))).toMatch(/This is your nick/)
  expect(refusalOfNewPassword(refused('CONSTR-LENGTH'))).toBeDefined()
  expect(refusalOfNewPassword(refused('SIGN-IN-4'))).toBeUndefined()
  expect(isSpentLink(refused('SIGN-IN-4'))).toBe(true)
  expect(isSpentLink(refused('CONSTR-LENGTH'))).toBe(false)
})
