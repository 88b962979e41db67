import type { createBrowserRouter } from 'react-router'
import { searchWith } from '#components/base/screens/use-search-change'
import { addressAsOf } from '#lib/client/as-of'

type Router = ReturnType<typeof createBrowserRouter>

/** The state of a navigation to an address as it is written: it names another moment, or none. */
export const asWritten = { asWritten: true }

export const COMPARE = 'compare'

/** An address as of the moment that another one shows, compared with the present if that one is. */
export function addressBeside(address: string, shown: string): string {
  const search = new URLSearchParams(shown)
  const [asof, compare] = [search.get('asof') || undefined, search.get(COMPARE)]
  const kept = addressAsOf(address, asof)
  if (asof === undefined || compare === null || kept === address || kept.startsWith('/api/')) return kept
  const [path = '', query] = kept.split('?', 2)
  return `${path}?${searchWith(query ?? '', { [COMPARE]: compare })}`
}

/** Every way to another screen keeps the moment, unless it goes to another one on purpose: no link or button has to think of it. */
export function keepMoment(router: Router): Router {
  const { navigate } = router
  const kept: typeof navigate = (to: unknown, options?: { state?: unknown }) => {
    const { search } = router.state.location
    const there =
      options?.state === asWritten || (typeof to !== 'string' && typeof to !== 'object') || to === null
        ? to
        : typeof to === 'string'
          ? addressBeside(to, search)
          : { ...to, search: addressBeside(('search' in to && String(to.search)) || '?', search) }
    return navigate(there as string, options)
  }
  router.navigate = kept
  return router
}
