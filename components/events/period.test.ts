import { expect, test } from 'vitest'
import { askedFor, inUrl, periodOf, textOf, units } from './period'

test('a span is kept in the URL as a duration', () => {
  for (const unit of units) {
    const span = { amount: 7, unit }
    expect(periodOf({ last: textOf(span) })).toEqual({ kind: 'last', span })
  }
  expect(textOf({ amount: 30, unit: 'minute' })).toBe('PT30M')
  expect(textOf({ amount: 1, unit: 'month' })).toBe('P1M')
})

test.each(['', 'P', 'P0D', 'P1H', 'PT1D', 'P-1D', '7 days', 'P1Y2M'])('%j is no span', (text) => {
  expect(periodOf({ last: text })).toBeUndefined()
})

test('times in the URL are read back, and invalid ones are ignored', () => {
  const between = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
  expect(inUrl(periodOf(between))).toEqual(between)
  expect(inUrl(periodOf({ last: 'P7D' }))).toEqual({ last: 'P7D' })
  expect(periodOf({ from: 'yesterday', to: 'tomorrow', last: 'long' })).toBeUndefined()
  expect(periodOf({ from: 'yesterday', to: between.to })).toEqual({ kind: 'between', to: between.to })
})

test('a span is counted back from now, on a full minute', () => {
  const now = new Date(2026, 2, 15, 12, 30, 45)
  const fromOf = (last: string) => askedFor(periodOf({ last }), now)
  expect(fromOf('PT2H')).toEqual({ from: new Date(2026, 2, 15, 10, 30).toISOString() })
  expect(fromOf('P1W')).toEqual({ from: new Date(2026, 2, 8, 12, 30).toISOString() })
  expect(fromOf('P1M')).toEqual({ from: new Date(2026, 1, 15, 12, 30).toISOString() })
  expect(fromOf('P1Y')).toEqual({ from: new Date(2025, 2, 15, 12, 30).toISOString() })
})
