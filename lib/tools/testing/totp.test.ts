import { expect, test } from 'vitest'
import { codeOf, secretOf } from '#lib/tools/testing/totp'

// RFC 6238, appendix B: the secret "12345678901234567890", the last six of the eight digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [20000000000, '353130'],
])('at second %d the code is %s', (second, code) => {
  expect(codeOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', second * 1000)).toBe(code)
})

test('the secret is read from the address', () => {
  expect(secretOf('otpauth://totp/Service:me?secret=ABC&issuer=Service')).toBe('ABC')
})
