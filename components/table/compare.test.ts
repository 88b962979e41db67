import { expect, test } from 'vitest'
import { changedSince } from './compare'

test('the filter of what has changed since reaches back to the moment', () => {
  const now = Date.parse('2026-11-29T12:00:00Z')
  expect(changedSince('2026-11-29T11:59:59Z', now)).toBe('<1m')
  expect(changedSince('2026-11-29T11:00:00Z', now)).toBe('<60m')
  expect(changedSince('2026-11-01T00:00:00Z', now)).toBe('<684h')
  expect(changedSince('2024-11-29T12:00:00Z', now)).toBe('<730d')
})
