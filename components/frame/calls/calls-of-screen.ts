import type { Query, QueryClient } from '@tanstack/react-query'
import { type Call, rehearseRead } from '#lib/client/calls'

/** Queries of the page frame and of the change notices; they are not part of the screen's calls. */
const asides = new Set<unknown>(['session', 'sign-in-ways', 'news', 'lookup', 'calls'])

/** The last page of a list that grows as it is scrolled. */
const lastPage = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'pageParams' in data && Array.isArray(data.pageParams)
    ? data.pageParams.at(-1)
    : undefined

/** The requests of a query, which is run again without sending them. */
function callsOf(client: QueryClient, query: Query): Call[] {
  const { queryKey, meta, state } = query
  const { queryFn } = query.options
  if (typeof queryFn !== 'function') return []
  const { signal } = new AbortController()
  const context = { client, queryKey, meta, signal, pageParam: lastPage(state.data), direction: 'forward' }
  return rehearseRead(() => queryFn(context as Parameters<typeof queryFn>[0]))
}

/** True if the request reads the screen's resource: `/datacenters/1` is `{api}/admin/datacenters/1`. */
const isOfThing = ({ address }: Call, screen: string): boolean =>
  address.split('?')[0]?.endsWith(screen) ?? false

/** The requests of the shown screen: its resource first, then in the order of the requests, without repeats. */
export function callsOfScreen(client: QueryClient, screen: string): Call[] {
  const shown = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && !asides.has(query.queryKey[0]))
  const calls = shown.flatMap((query) => callsOf(client, query))
  const own = calls.filter((call) => isOfThing(call, screen))
  return [...new Map([...own, ...calls].map((call) => [call.address, call])).values()]
}
