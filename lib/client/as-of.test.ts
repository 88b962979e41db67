import { expect, test } from 'vitest'
import { asOf, momentOf } from './as-of'

const meta = { asof: '2026-11-20T10:00:00.000Z' }

test('only tables of the journal are read as of a moment', () => {
  expect(asOf(meta, '/api/admin/scopes/7')).toEqual(meta)
  expect(asOf(meta, '/api/admin/datacenters/1/natnetworks/2/ips/3')).toEqual(meta)
  expect(asOf(meta, '/api/admin/enterprises/1/users/2/tokens')).toEqual({})
  expect(asOf(undefined, '/api/admin/scopes/7')).toEqual({})
})

test('a date and a time of day are a moment, unless they are invalid or in the future', () => {
  const now = Date.parse('2026-11-23T12:00:00')
  expect(momentOf('2026-11-20', '10:30:00', { now, isUtc: false })).toBe(
    new Date('2026-11-20T10:30:00').toISOString(),
  )
  expect(momentOf('2026-11-20', '', { now, isUtc: false })).toBe(new Date('2026-11-20T00:00').toISOString())
  expect(momentOf('2026-11-24', '', { now, isUtc: false })).toBeUndefined()
  expect(momentOf('2026-11-20', '10:30', { now, isUtc: true })).toBe('2026-11-20T10:30:00.000Z')
  expect(momentOf('', '10:00', { now, isUtc: false })).toBeUndefined()
})
