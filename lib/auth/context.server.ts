import type { Caller } from '#lib/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'

/** What a domain function needs to read: the caller, whose visibility limits every query, and the database or a transaction. */
export type ReadContext = { caller: Caller; db: Db }

/** What a domain function needs to write: the caller, and the transaction of the whole request. */
export type WriteContext = { caller: Caller; db: Trx }
