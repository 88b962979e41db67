import { expect, test } from 'vitest'
import { timeAgo } from './moments'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T12:00:00Z', 'just now'],
  ['2026-11-21T11:59:01Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:01:00Z', '59 minutes ago'],
  ['2026-11-21T10:00:00Z', '2 hours ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
  ['2026-11-18T11:00:00Z', '3 days ago'],
  ['2026-09-21T12:00:00Z', '2 months ago'],
  ['2024-11-21T12:00:00Z', '2 years ago'],
])('%s is %s', (moment, text) => {
  expect(timeAgo(new Date(moment), now)).toBe(text)
})

test('a server whose clock is ahead makes nothing happen in the future', () => {
  expect(timeAgo(new Date('2026-11-21T12:03:00Z'), now)).toBe('just now')
})
