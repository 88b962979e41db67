import type { Caller } from '#lib/caller/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'

/** What a domain function needs to read: the caller, whose visibility limits every query, and the database or a transaction. */
export type ReadContext = { caller: Caller; db: Db }

/** What a domain function needs to write: the caller, and the transaction of the whole request. */
export type WriteContext = { caller: Caller; db: Trx }

/** What a handler gets from the `references` of its route. */
export type Referring<Find extends (...context: never[]) => Promise<unknown>> = {
  references: Awaited<ReturnType<Find>>
}

/** What a handler gets that lists what belongs to `found`, the resource that the path names. */
export type Listed<Found, Query> = ReadContext & { found: Found; query: Query }

/** What a handler gets that creates a resource. */
export type Creation<Body> = WriteContext & { body: Body }

/** What a handler gets that changes or removes `found`, the resource that the path names, or creates one below. */
export type Change<Found, Body = unknown> = WriteContext & { found: Found; body: Body }
