import { isDuplicate, LostRace } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables'
import { ApiError, type ErrorCode } from '#lib/http/errors'

/** Writes a row whose uniqueness the database decides: a refused one becomes the coded error. */
export async function unlessTaken<T>(table: keyof Tables, code: ErrorCode, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw isDuplicate(cause, table) ? new ApiError(code, { cause }) : cause
  }
}

/** Writes a row that was looked for just before and was not there: a refused one came in between, and the transaction is run again. */
export async function orAgain<T>(table: keyof Tables, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw isDuplicate(cause, table) ? new LostRace(`${table}: a row came in between`, { cause }) : cause
  }
}
