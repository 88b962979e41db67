import { type Answer, withoutBody } from '#lib/ground/http/answer.server'
import { noContent } from '#lib/ground/http/bodiless.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { probes, urlOf } from '#lib/ground/http/route.server'
import { startRequest } from '#lib/ground/metrics/metrics.server'
import { traceRequest } from '#lib/ground/metrics/traces.server'
import { answer } from '#lib/request/pipeline/respond.server'
import { type Found, METHODS, type Route, routeFinder } from '#lib/request/pipeline/routes.server'
import { decoded } from '#lib/server/target.server'

const allowed = ({ handlers }: Route): string =>
  [...METHODS.filter((name) => handlers[name]), ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')

async function serveRoute(found: Found, request: Exchange): Promise<Answer> {
  const { path } = found.route
  const method = methodOf(request)
  const finish = startRequest(method, path)
  request.route = path
  const work = () => handle(found, request)
  const response = await (probes.has(path) ? work() : traceRequest(request, { method, route: path }, work))
  finish(response.status, request.waits)
  return response
}

/** Metrics labels must not contain methods that clients invent. */
const methodOf = ({ method }: Exchange): string =>
  method === 'HEAD' || method === 'OPTIONS' || METHODS.some((name) => name === method) ? method : 'other'

async function handle({ route, segments }: Found, request: Exchange): Promise<Answer> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const handler = METHODS.find((name) => name === method)
  const operation = handler && route.handlers[handler]
  if (operation) {
    const response = await operation.serve(request, segments)
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
  const response = await answer(request, async () => {
    if (request.method !== 'OPTIONS') throw new ApiError('405-METHOD-NOT-ALLOWED')
    return noContent()
  })
  response.headers.set('allow', allowed(route))
  return response
}

async function serveUnknown(request: Exchange): Promise<Answer> {
  const finish = startRequest(methodOf(request), 'unknown')
  const response = await answer(request, () => Promise.reject(new ApiError('404-NOT-FOUND')))
  finish(response.status)
  return response
}

/** `/api/x`, `/api/x/` and `/api//x` are the same (docs/api/conventions.md, "Paths and targets"). */
const segmentsOf = (request: Exchange): string[] =>
  urlOf(request)
    .pathname.split('/')
    .filter(Boolean)
    .map((segment) => decoded(segment) ?? segment)

export type Router = {
  /** True if the path belongs to the API and not to the console. */
  serves: (path: string) => boolean
  serve: (request: Exchange) => Promise<Answer>
}

/** Serves the route files. Any other path below their first folders is a coded 404. */
export function createRouter(routes: readonly Route[]): Router {
  const roots = new Set(routes.map(({ path }) => path.split('/')[1]))
  const find = routeFinder(routes)
  return {
    serves: (path) => roots.has(path.split('/').find(Boolean)),
    serve: (request) => {
      const found = find(segmentsOf(request))
      return found ? serveRoute(found, request) : serveUnknown(request)
    },
  }
}
