import { signedInUser } from '#lib/caller/auth/strategy.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { authorize } from '#lib/request/pipeline/authorize.server'
import {
  type Incoming,
  pathIds,
  readIncoming,
  requireReadableQuery,
} from '#lib/request/pipeline/incoming.server'
import { type Outcome, permitted } from '#lib/request/pipeline/operations.server'
import { atMoment } from '#lib/request/pipeline/past.server'
import { answer, respond } from '#lib/request/pipeline/respond.server'
import type { Operation, RouteHandler, Spec } from '#lib/request/pipeline/spec.server'
import { routeHandler, type Serve } from '#lib/request/pipeline/spec.server'
import { authenticate } from '#lib/request/strategies/authenticate.server'

/** A GET of the resource at the path that `find` returns, as it was at a moment (microseconds since 1970), by the declaration of its own GET. */
export const showsPast = <P extends string>(
  find: NonNullable<Spec<P>['past']>,
  spec: Spec<P>,
): RouteHandler => {
  const declared = { ...spec, past: find, kind: 'reads' } as Operation
  const serve: Serve = (request, segments) =>
    answer(request, async (trace) => {
      const authenticated = await authenticate(request)
      const { caller } = authenticated
      trace.userId = signedInUser(authenticated)
      if (authenticated.viewer) trace.seesAs = caller.id
      authorize(declared, authenticated, segments)
      requireReadableQuery(request)
      const ids = pathIds(declared, segments)
      const { path, moment } = await find({ caller, db: database().read, params: ids })
      return respond(...(await readPast({ request, authenticated }, path, moment)))
    })
  return routeHandler(serve, declared)
}

/** Throws EVENT-1 if the path names nothing that the caller sees at the moment. */
async function readPast(
  received: Pick<Incoming, 'request' | 'authenticated'>,
  path: string,
  moment: number,
): Promise<[Operation, Incoming, Outcome]> {
  try {
    const { spec, segments, perform } = await permitted(received.authenticated, { method: 'GET', path })
    const incoming = { ...(await readIncoming(spec, { ...received, segments })), moment }
    return [
      spec,
      incoming,
      await atMoment(incoming.authenticated, moment, (db) => perform(spec, incoming, db)),
    ]
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? new ApiError('EVENT-1') : error
  }
}
