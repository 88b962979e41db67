import type { Authenticated } from '#lib/caller/auth/strategy.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import type { Trx } from '#lib/db/db.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Inner } from '#lib/record/events/operation.server'
import type { StoredChanges } from '#lib/record/events/stored'
import { authorize } from '#lib/request/pipeline/authorize.server'
import type { FirstAnswer } from '#lib/request/pipeline/idempotency.server'
import type { Incoming } from '#lib/request/pipeline/incoming.server'
import { operationAt } from '#lib/request/pipeline/routes.server'
import type { Operation, RouteHandler, Segments } from '#lib/request/pipeline/spec.server'

/* How an operation runs, by its route. Operations that run others find them here. */

/** The handler's result, and its additions to the response and the event. */
export type Outcome = {
  result: unknown
  session: Session | null
  headers: AnswerHeaders
  noted: StoredChanges
  /** The result is the job that was made for the request. */
  isJob?: boolean
  /** The ETag of the response that is repeated. */
  firstTag?: FirstAnswer['tag']
}

/** Runs the operation in this transaction. */
export type Perform = (spec: Operation, incoming: Incoming, db: Trx) => Promise<Outcome>

const performs = new WeakMap<RouteHandler, Perform>()

export function register(handler: RouteHandler, perform: Perform): RouteHandler {
  performs.set(handler, perform)
  return handler
}

type Permitted = { spec: Operation; segments: Segments; perform: Perform }

/** The operation of this path, if the caller may use it. Throws 403, and 404 for an unknown path. */
export async function permitted(
  authenticated: Authenticated,
  { method, path }: Pick<Inner, 'method' | 'path'>,
): Promise<Permitted> {
  const { handler, segments = {} } = (await operationAt(method, path)) ?? {}
  const perform = handler && performs.get(handler)
  if (!perform) throw new ApiError('404-NOT-FOUND')
  const spec = handler.spec as Operation
  authorize(spec, authenticated, segments)
  return { spec, segments, perform }
}
