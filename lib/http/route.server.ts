const known = new WeakMap<Request, string>()

/** The pattern of the request's route, as its file spells it; undefined under Next. */
export const routeOf = (request: Request): string | undefined => known.get(request)

export const rememberRoute = (request: Request, route: string): void => {
  known.set(request, route)
}
