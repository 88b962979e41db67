import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { paths } from '#components/base/screens/paths'
import { hasPast, isOwnAccount, type ScreenPath, screens } from '#components/base/screens/screens'
import { holds } from '#components/base/session/session'
import { readPreferences } from '#components/base/session/use-appearance'
import {
  MissingPrivilege,
  NotFound,
  OfAccount,
  RouteFailure,
  WithoutPast,
} from '#components/frame/layout/route-failure'
import { Shell } from '#components/frame/layout/shell'
import { Starting } from '#components/frame/layout/starting'
import { hearRefusal, sessionQuery } from '#lib/caller/auth/session.queries'
import { clientAt } from '#lib/client/past-client'
import { safeReturnTo } from '#lib/ground/http/return-to'
import { pages } from './routes'

export const createRoutes = (client: QueryClient): RouteObject[] => [
  {
    Component: Shell,
    ErrorBoundary: RouteFailure,
    children: [
      // A signed-in user goes on to the address that the sign-in would have led to.
      {
        path: '/sign-in',
        loader: ({ request }) => redirect(safeReturnTo(new URL(request.url).searchParams.get('returnTo'))),
        Component: Starting,
        HydrateFallback: Starting,
      },
      ...(Object.keys(pages) as ScreenPath[]).map((path) => routeOf(path, client)),
      { path: '*', Component: NotFound },
    ],
  },
]

const routeOf = (path: ScreenPath, client: QueryClient): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await pages[path]()).Component }),
  loader: async (args: LoaderFunctionArgs) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (!session) return null
    if (session.mustChangePassword) {
      if (path !== paths.password()) throw redirect(paths.password())
    } else if (session.mustEnableTwoFactor && path !== paths.twoFactor()) throw redirect(paths.twoFactor())
    const asof = new URL(args.request.url).searchParams.get('asof') || undefined
    if (asof !== undefined && !hasPast(new URL(args.request.url).pathname)) throw new WithoutPast()
    if (session.viewer && isOwnAccount(path)) throw new OfAccount()
    const needs = screens[path]
    if (needs.length > 0 && !holds(session, needs)) throw new MissingPrivilege(needs)
    const [{ loader }] = await Promise.all([pages[path](), readPreferences(client)])
    return loader?.(clientAt(asof, client, hearRefusal))(args) ?? null
  },
  // A change of the query changes only the state of the open screen, which fetches its rows itself.
  shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
    currentUrl.search === nextUrl.search && defaultShouldRevalidate,
  HydrateFallback: Starting,
  ErrorBoundary: RouteFailure,
})
