const known = new WeakMap<Request, string>()

/** The pattern of the request's route, as its file spells it; undefined under Next. */
export const routeOf = (request: Request): string | undefined => known.get(request)

export const rememberRoute = (request: Request, route: string): void => {
  known.set(request, route)
}

const plain = (segment: string): string => encodeURIComponent(decodeURIComponent(segment))

/** One spelling for each path: no unnecessary escapes, no empty segments, no trailing slash. */
export const plainPath = (request: Request): string =>
  `/${urlOf(request).pathname.split('/').filter(Boolean).map(plain).join('/')}`

const urls = new WeakMap<Request, URL>()

/** The address of the request, parsed once. Callers share it and must not change it. */
export function urlOf(request: Request): URL {
  const url = urls.get(request) ?? new URL(request.url)
  urls.set(request, url)
  return url
}
