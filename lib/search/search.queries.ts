import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { pathKey } from '#lib/client/resources.queries'
import type { Collection } from '#lib/http/view'
import type { SearchHit } from '#lib/search/search.schema'

const searchPath = '/api/session/search'

/** What the user may find by this text: up to `limit` (1 to 20) of each kind. Until it is here the hits before stay. */
export const searchQuery = (text: string, limit = 5) => {
  const has = text.trim()
  return queryOptions({
    queryKey: [...pathKey(searchPath), has, limit],
    queryFn: ({ signal }) => api<Collection<SearchHit>>(searchPath, { query: { has, limit }, signal }),
    placeholderData: keepPreviousData,
    enabled: has !== '',
  })
}
