import { isDuplicate, LostRace } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError, type ErrorCode } from '#lib/http/errors'

/** Throws the coded error if the row violates a unique constraint of the table. */
export const unlessTaken = <T>(table: keyof Tables, code: ErrorCode, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new ApiError(code, { cause })))

/** For a row that the transaction did not find: a duplicate means a race with another transaction, so this one is retried. */
export const orAgain = <T>(table: keyof Tables, work: Promise<T>): Promise<T> =>
  work.catch(instead(table, (cause) => new LostRace(`${table}: a row came in between`, { cause })))

const instead = (table: keyof Tables, refusal: (cause: unknown) => Error) => (cause: unknown) => {
  throw isDuplicate(cause, table) ? refusal(cause) : cause
}
