import type { Generated, Insertable } from 'kysely'
import type { Db, Trx } from '#lib/db/db.server'
import { isDuplicate, LostRace } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError, type ErrorCode } from '#lib/ground/http/errors'

/** Throws the coded error if the row violates a unique constraint of the table. */
export const unlessTaken = <T>(table: keyof Tables, code: ErrorCode, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new ApiError(code, { cause })))

/** For a row that the transaction did not find: a duplicate means a race with another transaction, so this one is retried. */
export const retryIfTaken = <T>(table: keyof Tables, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new LostRace(`${table}: a row came in between`, { cause })))

const instead = (table: keyof Tables, refusal: (cause: unknown) => Error) => (cause: unknown) => {
  throw isDuplicate(cause, table) ? refusal(cause) : cause
}

type TableWithId = {
  [Table in keyof Tables]: Tables[Table] extends { id: Generated<number> } ? Table : never
}[keyof Tables]

/** A deleted row that will be inserted again with its former id. `columns` identify the new row, or any row of the table matches. */
export type Former = { table: keyof Tables; id: number; columns?: Record<string, unknown> }

const former = new WeakMap<Db, Set<Former>>()

/** Runs work whose new rows get the ids that they had before. */
export async function underFormerIds<T>(
  trx: Trx,
  rows: readonly Former[],
  work: () => Promise<T>,
): Promise<T> {
  const all = former.get(trx) ?? new Set()
  former.set(trx, all)
  for (const row of rows) all.add(row)
  try {
    return await work()
  } finally {
    for (const row of rows) all.delete(row)
  }
}

/** True if the next new row of the table gets a former id. */
export const comesBack = (db: Db, table: keyof Tables): boolean =>
  [...(former.get(db) ?? [])].some((each) => each.table === table)

/** The former id of a new row, if it has one. */
export function formerId(trx: Trx, table: keyof Tables, row: Record<string, unknown> = {}): { id?: number } {
  const all = former.get(trx)
  for (const each of all ?? []) {
    const isSame = Object.entries(each.columns ?? {}).every(([name, value]) => row[name] === value)
    if (each.table !== table || !isSame) continue
    all?.delete(each)
    return { id: each.id }
  }
  return {}
}

/** Inserts the row and returns its id. */
export async function insertRow<Table extends TableWithId>(
  trx: Trx,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<number> {
  // The types of a query are too complex for a variable table name, so they are checked for one table.
  const { id } = await trx
    .insertInto(table as TableWithId as 'scopes')
    .values({ ...(row as Insertable<Tables['scopes']>), ...formerId(trx, table) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
