import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { noContent } from '#lib/ground/http/bodiless.server'
import { ApiError } from '#lib/ground/http/errors'
import { rememberRoute } from '#lib/ground/http/route.server'
import { startRequest } from '#lib/ground/metrics/metrics.server'
import { traceRequest } from '#lib/ground/metrics/traces.server'
import { answer } from '#lib/request/pipeline/respond.server'
import { METHODS, type Route, wordsFirst } from '#lib/request/pipeline/routes.server'

const allowed = ({ handlers }: Route): string =>
  [...METHODS.filter((name) => handlers[name]), ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')

async function serve(route: Route, request: Request, params: Record<string, string>): Promise<Response> {
  const method = methodOf(request)
  const finish = startRequest(method, route.path)
  rememberRoute(request, route.path)
  const response = await traceRequest(request, { method, route: route.path }, () =>
    handle(route, request, params),
  )
  finish(response.status)
  return response
}

/** Metrics labels must not contain methods that clients invent. */
const methodOf = ({ method }: Request): string =>
  method === 'HEAD' || method === 'OPTIONS' || METHODS.some((name) => name === method) ? method : 'other'

async function handle(route: Route, request: Request, params: Record<string, string>): Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const handler = METHODS.find((name) => name === method)
  const operation = handler && route.handlers[handler]
  if (operation) {
    const response = await operation(request, { params: Promise.resolve(params) })
    if (request.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  }
  const response = await answer(request, async () => {
    if (request.method !== 'OPTIONS') throw new ApiError('405-METHOD-NOT-ALLOWED')
    return noContent()
  })
  response.headers.set('allow', allowed(route))
  return response
}

/** `/api/x`, `/api/x/` and `/api//x` are the same (docs/api.md, "Paths and targets"). */
const tidyPath = (request: Request): string => {
  const path = getPath(request)
  return path.includes('//') || path.endsWith('/') ? `/${path.split('/').filter(Boolean).join('/')}` : path
}

const pattern = (path: string): string => path.replaceAll(/\[(\w+)\]/g, ':$1')

export type Router = {
  /** True if the path belongs to the API and not to the console. */
  serves: (path: string) => boolean
  fetch: (request: Request) => Response | Promise<Response>
}

/** Serves the route files. Any other path below their first folders is a coded 404. */
export function createRouter(routes: Route[]): Router {
  const roots = new Set(routes.map(({ path }) => path.split('/')[1]))
  const app = new Hono({ getPath: tidyPath })
  for (const route of wordsFirst(routes)) {
    // Next needs a catch-all route for unknown paths; here notFound handles them, for every method.
    if (!route.path.includes('[...'))
      app.all(pattern(route.path), (c) => serve(route, c.req.raw, c.req.param()))
  }
  app.notFound(async (c) => {
    const finish = startRequest(methodOf(c.req.raw), 'unknown')
    const response = await answer(c.req.raw, () => Promise.reject(new ApiError('404-NOT-FOUND')))
    finish(response.status)
    return response
  })
  return {
    serves: (path) => roots.has(path.split('/').find(Boolean)),
    fetch: app.fetch,
  }
}
