import type { RouteHandler } from '#lib/http/endpoint.server'
import { answer } from '#lib/http/respond.server'

/** An operation that needs no credentials. The few that there are say so by this name. */
export const open =
  (handle: (request: Request) => Promise<Response>): RouteHandler =>
  (request) =>
    answer(request, () => handle(request))
