import { isDuplicate, LostRace } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError, type ErrorCode } from '#lib/http/errors'

/** Writes a row whose uniqueness the database decides: a refused one becomes the coded error. */
export const unlessTaken = <T>(table: keyof Tables, code: ErrorCode, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new ApiError(code, { cause })))

/** Writes a row that was looked for just before and was not there: a refused one came in between, and the transaction is run again. */
export const orAgain = <T>(table: keyof Tables, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new LostRace(`${table}: a row came in between`, { cause })))

const instead = (table: keyof Tables, refusal: (cause: unknown) => Error) => (cause: unknown) => {
  throw isDuplicate(cause, table) ? refusal(cause) : cause
}
