import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { isDamaged, isUnreachable, isUnwritable } from '#lib/db/dialect.server'

/* The response to each kind of database failure, on both engines. */

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', true],
  ['57P01', 'terminating connection due to administrator command', true],
  ['57P03', 'the database system is starting up', true],
  [undefined, 'Connection terminated unexpectedly', true],
  [undefined, 'Client has encountered a connection error and is not queryable', true],
  ['23505', 'duplicate key value violates unique constraint', false],
  [undefined, 'something else', false],
])('the failure %s, %s: the database is away: %s', (code, message, isAway) => {
  expect(isUnreachable(Object.assign(new Error(message), code && { code }))).toBe(isAway)
})

const failureOf = (work: () => void): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

test('isUnwritable recognizes a full disk and a read-only database, on both engines', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table t (a unique); pragma max_page_count = 3')
  const full = failureOf(() => db.exec('insert into t values (zeroblob(100000))'))
  db.exec('pragma query_only = on')
  const readOnly = failureOf(() => db.exec('insert into t values (1)'))
  const other = failureOf(() => db.exec('insert into nowhere values (1)'))
  db.close()
  const postgres = (code: string) => Object.assign(new Error('refused'), { code })
  expect([full, readOnly, postgres('53100'), postgres('25006')].map(isUnwritable)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([other, postgres('23505'), new Error('other')].map(isUnwritable)).toEqual([false, false, false])
})

test('isDamaged recognizes damage on both engines', () => {
  const failed = (codes: object) => Object.assign(new Error('failed'), codes)
  const damaged = [
    { code: 'ERR_SQLITE_ERROR', errcode: 267 },
    { code: 'ERR_SQLITE_ERROR', errcode: 26 },
    { code: 'XX001' },
  ]
  expect(damaged.map((codes) => isDamaged(failed(codes)))).toEqual([true, true, true])
  expect(
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, { code: '23505' }].map((codes) => isDamaged(failed(codes))),
  ).toEqual([false, false])
})
