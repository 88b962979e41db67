import type { Generated, Insertable } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import { isDuplicate, LostRace } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError, type ErrorCode } from '#lib/http/errors'

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

/** Inserts the row and returns its id. */
export async function insertRow<Table extends TableWithId>(
  trx: Trx,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<number> {
  // The types of a query are too complex for a table that is a parameter: one table stands for all.
  const { id } = await trx
    .insertInto(table as TableWithId as 'scopes')
    .values(row as Insertable<Tables['scopes']>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
