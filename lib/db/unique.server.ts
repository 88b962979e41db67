import { isDuplicate } from '#lib/db/dialect.server'
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
