import { expect, test } from 'vitest'
import { safeReturnTo } from '#lib/ground/http/return-to'
import { paths } from './paths'

test('sign-in remembers where the user was going', () => {
  expect(paths.signIn('/scopes?has=a b')).toBe('/sign-in?returnTo=%2Fscopes%3Fhas%3Da+b')
  expect(paths.signIn()).toBe('/sign-in')
})

test.each(['/', '/scopes', '/scopes?has=a%20b&page=2', '/datacenters/1/natips?has=10.0.0.1#x'])(
  '%s is a way back',
  (path) => {
    expect(safeReturnTo(path)).toBe(path)
  },
)

test.each([
  null,
  '',
  'scopes',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/scopes\\..',
  'javascript:alert(1)',
])('%j leads home', (path) => {
  expect(safeReturnTo(path)).toBe('/')
})
