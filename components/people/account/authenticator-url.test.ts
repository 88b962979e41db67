import { expect, test } from 'vitest'
import { inGroupsOfFour, readAuthenticatorUrl } from './authenticator-url'

test('the address holds secret, issuer and account', () => {
  expect(
    readAuthenticatorUrl(
      'otpauth://totp/Service:admin?secret=JBSWY3DPEHPK3PXP&issuer=Service&digits=6&period=30',
    ),
  ).toEqual({ secret: 'JBSWY3DPEHPK3PXP', issuer: 'Service', account: 'admin' })
})

test('an encoded label is decoded', () => {
  expect(
    readAuthenticatorUrl('otpauth://totp/My%20Cloud%3Aana%40example.org%3A1?secret=jbsw&issuer=My%20Cloud'),
  ).toEqual({ secret: 'JBSW', issuer: 'My Cloud', account: 'ana@example.org:1' })
})

test('the label names the issuer where the parameter is missing, and may lack it', () => {
  expect(readAuthenticatorUrl('otpauth://totp/Service:%20ana?secret=JBSW')).toMatchObject({
    issuer: 'Service',
    account: 'ana',
  })
  expect(readAuthenticatorUrl('otpauth://totp/ana?secret=JBSW')).toMatchObject({ issuer: '', account: 'ana' })
})

test('a label that cannot be decoded is shown unchanged', () => {
  expect(readAuthenticatorUrl('otpauth://totp/Service:100%?secret=JBSW&issuer=Service')).toMatchObject({
    account: '100%',
  })
})

test.each([
  '',
  'Service',
  'https://totp/Service:ana?secret=JBSW',
  'otpauth://totp/Service:ana',
  'otpauth://totp/Service:ana?secret=',
  'otpauth://totp/Service:ana?secret=189!',
])('%j holds no key', (address) => {
  expect(readAuthenticatorUrl(address)).toBeUndefined()
})

test('a text is split into groups of four', () => {
  expect(inGroupsOfFour('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
  expect(inGroupsOfFour('ABCD')).toBe('ABCD')
  expect(inGroupsOfFour('')).toBe('')
})
