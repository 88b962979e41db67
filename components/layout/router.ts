import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { paths } from '#components/paths'
import { type Screen, screens } from '#components/routes'
import { holds } from '#components/session/session'
import { readPreferences } from '#components/session/use-appearance'
import { sessionQuery } from '#lib/auth/session.queries'
import { safeReturnTo } from '#lib/http/return-to'
import { NotFound } from './not-found'
import { MissingPrivilege, RouteFailure } from './route-failure'
import { Shell } from './shell'
import { Starting } from './starting'

export const createRoutes = (client: QueryClient): RouteObject[] => [
  {
    Component: Shell,
    ErrorBoundary: RouteFailure,
    children: [
      // Whoever is signed in already goes on to where the sign-in was to lead.
      {
        path: '/sign-in',
        loader: ({ request }) => redirect(safeReturnTo(new URL(request.url).searchParams.get('returnTo'))),
        Component: Starting,
        HydrateFallback: Starting,
      },
      ...screens.map((screen) => routeOf(screen, client)),
      { path: '*', Component: NotFound },
    ],
  },
]

const routeOf = ({ path, needs, page }: Screen, client: QueryClient): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await page()).Component }),
  loader: async (args: LoaderFunctionArgs) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (!session) return null
    if (session.mustChangePassword) {
      if (path !== paths.password()) throw redirect(paths.password())
    } else if (session.mustEnableTwoFactor && path !== paths.twoFactor()) throw redirect(paths.twoFactor())
    if (needs && !holds(session, needs)) throw new MissingPrivilege(needs)
    const [{ loader }] = await Promise.all([page(), readPreferences(client)])
    return loader?.(client)(args) ?? null
  },
  // What a screen remembers in the address is its own: it is guarded already, and asks for its rows itself.
  shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
    currentUrl.search === nextUrl.search && defaultShouldRevalidate,
  HydrateFallback: Starting,
  ErrorBoundary: RouteFailure,
})
