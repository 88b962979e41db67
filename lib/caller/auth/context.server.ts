import type { Caller } from '#lib/caller/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'

/** Context of reading domain functions: the caller, whose visibility limits every query, and the database or a transaction. */
export type ReadContext = { caller: Caller; db: Db }

/** Context of writing domain functions: the caller, and the transaction of the whole request. */
export type WriteContext = { caller: Caller; db: Trx }

/** The result of the `references` of a route. */
export type Referring<Find extends (...context: never[]) => Promise<unknown>> = {
  references: Awaited<ReturnType<Find>>
}

/** The arguments of a handler that lists the resources below `found`, the resource in the path. */
export type Listed<Found, Query> = ReadContext & { found: Found; query: Query }

/** The arguments of a handler that creates a resource. */
export type Creation<Body> = WriteContext & { body: Body }

/** The arguments of a handler that changes or removes `found`, the resource in the path, or creates a resource below it. */
export type Change<Found, Body = unknown> = WriteContext & { found: Found; body: Body }
