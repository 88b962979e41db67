import { createFormatter } from 'use-intl/core'
import { expect, test } from 'vitest'
import { exactTime, timeAgo } from './moments'

const format = createFormatter({ locale: 'en-US', timeZone: 'UTC' })
const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T12:00:00Z', 'now'],
  ['2026-11-21T11:59:01Z', 'now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:01:00Z', '59 minutes ago'],
  ['2026-11-21T10:00:00Z', '2 hours ago'],
  ['2026-11-20T12:00:00Z', '1 day ago'],
  ['2026-11-18T12:00:00Z', '3 days ago'],
  ['2026-09-21T12:00:00Z', '2 months ago'],
  ['2024-11-21T12:00:00Z', '2 years ago'],
])('%s is %s', (moment, text) => {
  expect(timeAgo(format, new Date(moment), now)).toBe(text)
})

test('a server whose clock is ahead makes nothing happen in the future', () => {
  expect(timeAgo(format, new Date('2026-11-21T12:03:00Z'), now)).toBe('now')
})

test("moments are formatted in the reader's locale", () => {
  const spanish = createFormatter({ locale: 'es-ES', timeZone: 'UTC' })
  expect(timeAgo(spanish, new Date('2026-11-21T10:00:00Z'), now)).toBe('hace 2 horas')
  expect(exactTime(spanish, '2026-11-21T10:00:00Z')).toBe('21 nov 2026, 10:00')
})
