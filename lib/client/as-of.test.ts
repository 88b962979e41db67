import { expect, test } from 'vitest'
import { addressAsOf, momentOf, queryAsOf } from './as-of'

const meta = { asof: '2026-11-20T10:00:00.000Z' }

test('a request as of a moment has the moment, and is refused where there is no past', () => {
  expect(queryAsOf(meta, '/api/admin/scopes/7', { by: 'name' })).toEqual({ by: 'name', ...meta })
  expect(queryAsOf(meta, '/api/admin/datacenters/1/natnetworks/2/ips/3', undefined)).toEqual(meta)
  expect(queryAsOf(meta, '/api/admin/enterprises/1/users/2/tokens', {})).toBeUndefined()
  expect(queryAsOf(meta, '/api/admin/natnetworks/action/check', {})).toBeUndefined()
  expect(queryAsOf(undefined, '/api/admin/enterprises/1/users/2/tokens', { limit: 1 })).toEqual({ limit: 1 })
})

test('events as of a moment are those until then', () => {
  const [before, after] = ['2026-11-19T00:00:00.000Z', '2026-11-21T00:00:00.000Z']
  expect(queryAsOf(meta, '/api/events', { limit: 6 })).toEqual({ limit: 6, to: meta.asof })
  expect(queryAsOf(meta, '/api/events', { to: before })).toEqual({ to: before })
  expect(queryAsOf(meta, '/api/events', { to: after })).toEqual({ to: meta.asof })
  expect(queryAsOf(meta, '/api/events/7/rows', { limit: 1 })).toEqual({ limit: 1 })
  expect(queryAsOf(meta, '/api/events/action/summary', {})).toBeUndefined()
})

test('an address keeps the moment, unless it names another one', () => {
  expect(addressAsOf('/scopes/7', undefined)).toBe('/scopes/7')
  expect(addressAsOf('/scopes/7', meta.asof)).toBe('/scopes/7?asof=2026-11-20T10%3A00%3A00.000Z')
  expect(addressAsOf('/scopes?asof=1#a', meta.asof)).toBe('/scopes?asof=1#a')
  expect(addressAsOf('?tab=ips', meta.asof)).toBe('?tab=ips&asof=2026-11-20T10%3A00%3A00.000Z')
  expect(addressAsOf('/api/events?limit=0', meta.asof)).toBe(
    '/api/events?limit=0&to=2026-11-20T10%3A00%3A00.000Z',
  )
  expect(addressAsOf('https://other.example/', meta.asof)).toBe('https://other.example/')
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
