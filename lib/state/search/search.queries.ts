import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { pathKey } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import type { SearchHit } from '#lib/state/search/search.schema'

const searchPath = '/api/session/search'

/** Up to `limit` (1 to 20) hits of each kind. The previous hits stay until the new ones arrive. */
export const searchQuery = (text: string, limit = 5) => {
  const has = text.trim()
  return queryOptions({
    queryKey: [...pathKey(searchPath), has, limit],
    queryFn: ({ signal, meta }) =>
      api<Collection<SearchHit>>(searchPath, { query: { has, limit }, signal, meta }),
    placeholderData: keepPreviousData,
    enabled: has !== '',
  })
}
