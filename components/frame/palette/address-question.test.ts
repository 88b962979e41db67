import { describe, expect, test } from 'vitest'
import { questionIn } from './address-question'

const now = Date.parse('2026-11-29T12:00:00Z')
const english = { isDayFirst: false, now }
const spanish = { isDayFirst: true, now }

const local = (...[year, month, day, hours = 0, minutes = 0]: number[]) =>
  new Date(year ?? 0, (month ?? 1) - 1, day, hours, minutes).toISOString()

describe('the question who held an address', () => {
  test.each([
    ['who held 198.19.32.90 on 3 November at 14:05', local(2026, 11, 3, 14, 5)],
    ['198.19.32.90 2026-11-03 14:05', local(2026, 11, 3, 14, 5)],
    ['198.19.32.90 2026-11-03T14:05', local(2026, 11, 3, 14, 5)],
    ['Who had 198.19.32.90, November 3rd, 2025, 2:05 pm?', local(2025, 11, 3, 14, 5)],
    ['198.19.32.90 Nov 3 12:30 am', local(2026, 11, 3, 0, 30)],
    ['198.19.32.90 11/3/2026 14:05', local(2026, 11, 3, 14, 5)],
    ['198.19.32.90 3 Nov', local(2026, 11, 3)],
    ['198.19.32.90 2026-11-03 14:05 UTC', '2026-11-03T14:05:00.000Z'],
    ['198.19.32.90 2026-11-03T14:05:09Z', '2026-11-03T14:05:09.000Z'],
    ['198.19.32.90 2026-11-03T14:05+02:00', '2026-11-03T12:05:00.000Z'],
    ['198.19.32.90 2026-11-03 14:05 -0330', '2026-11-03T17:35:00.000Z'],
  ])('is read in English or ISO 8601: %s', (typed, at) => {
    expect(questionIn(typed, english)).toEqual({ ip: '198.19.32.90', at })
  })

  test.each([
    ['¿quién tenía 198.19.32.90 el 3 de noviembre a las 14:05?', local(2026, 11, 3, 14, 5)],
    ['198.19.32.90 3 de noviembre de 2025 a las 9:05', local(2025, 11, 3, 9, 5)],
    ['198.19.32.90 3/11/2026 14:05', local(2026, 11, 3, 14, 5)],
  ])('is read in Spanish: %s', (typed, at) => {
    expect(questionIn(typed, spanish)).toEqual({ ip: '198.19.32.90', at })
  })

  test('without a year is about the last such day, without a day about today', () => {
    expect(questionIn('198.19.32.90 24 December', english)?.at).toBe(local(2025, 12, 24))
    expect(questionIn('198.19.32.90 00:05 UTC', english)?.at).toBe('2026-11-29T00:05:00.000Z')
  })

  test('takes IPv6 in any spelling', () => {
    expect(questionIn('who held 2001:DB8::1 on 2026-11-03 14:05 UTC', english)).toEqual({
      ip: '2001:db8::1',
      at: '2026-11-03T14:05:00.000Z',
    })
  })

  test('has no moment that is to come, and none without a day or a time', () => {
    expect(questionIn('198.19.32.90', english)).toEqual({ ip: '198.19.32.90' })
    expect(questionIn('198.19.32.90 2027-01-01 10:00', english)).toEqual({ ip: '198.19.32.90' })
    expect(questionIn('198.19.32.90 at 25:00', english)).toEqual({ ip: '198.19.32.90' })
    expect(questionIn('who held it on 3 November at 14:05', english)).toBeUndefined()
    expect(questionIn('Albatros', english)).toBeUndefined()
  })
})
