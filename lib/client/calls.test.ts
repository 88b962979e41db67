import { expect, test } from 'vitest'
import { type Call, countChanges, noteChange } from '#lib/client/calls'

const counted = (method: Call['method'], address: string): number => {
  const before = countChanges()
  noteChange({ call: { method, address, headers: {} }, sent: 0 })
  return countChanges() - before
}

test('changes are counted, but neither reads nor what the console does to its own session', () => {
  expect(counted('POST', '/api/admin/scopes')).toBe(1)
  expect(counted('DELETE', '/api/admin/scopes/7')).toBe(1)
  expect(counted('GET', '/api/admin/scopes')).toBe(0)
  expect(counted('DELETE', '/api/session')).toBe(0)
  expect(counted('PUT', '/api/session/preferences')).toBe(0)
})
