import { expect, test } from 'vitest'
import { addDays, addMonths, dayOf, readDay, readTime, showDay, weeksAround } from './days'

test('a day is read as its locale writes it, and as ISO 8601 in all of them', () => {
  expect(readDay('11/25/2026', 'en-US')).toBe('2026-11-25')
  expect(readDay('25/11/2026', 'es-ES')).toBe('2026-11-25')
  expect(readDay('25.11.26', 'de-DE')).toBe('2026-11-25')
  expect(readDay('5/1/2026', 'es-ES')).toBe('2026-01-05')
  for (const locale of ['en-US', 'es-ES', 'ja-JP']) expect(readDay('2026-11-25', locale)).toBe('2026-11-25')
})

test('a day that does not exist is none', () => {
  for (const text of ['', '25', '31/02/2026', '2026-02-30', '25/13/2026', 'tomorrow'])
    expect(readDay(text, 'es-ES')).toBeUndefined()
})

test('what is shown is read back', () => {
  for (const locale of ['en-US', 'es-ES', 'de-DE', 'ja-JP', 'fr-FR'])
    expect(readDay(showDay('2026-03-09', locale), locale)).toBe('2026-03-09')
})

test('a time is read in the forms that people type', () => {
  expect(['9', '930', '09:30', '9.30', '9h30', '24:00', '9:60', '', 'x'].map(readTime)).toEqual([
    '09:00',
    '09:30',
    '09:30',
    '09:30',
    '09:30',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('months have their own lengths', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
})

test('weeks begin where the locale begins them, and cover the month', () => {
  const spanish = weeksAround('2026-11-25', 'es-ES')
  expect(spanish[0]?.[0]).toBe('2026-10-26')
  expect(spanish.at(-1)?.at(-1)).toBe('2026-12-06')
  expect(weeksAround('2026-11-25', 'en-US')[0]?.[0]).toBe('2026-11-01')
  expect(weeksAround('2026-02-01', 'es-ES').flat()).toContain('2026-02-28')
})

test('the day of a moment is that of this clock', () => {
  expect(dayOf(new Date(2026, 10, 5, 0, 30))).toBe('2026-11-05')
})
