import { answer } from '#lib/http/respond.server'
import type { OpenSpec, RouteHandler } from '#lib/http/spec'

/** An operation that needs no credentials. The few that there are say so by this name. */
export const open = (spec: OpenSpec, handle: (request: Request) => Promise<Response>): RouteHandler =>
  Object.assign((request: Request) => answer(request, () => handle(request)), {
    spec: { ...spec, kind: 'open' as const },
  })
