import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { pathKey } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import type { TagDocument } from '#lib/state/search/tags.schema'

const tagsPath = '/api/tags'

/** The most frequent tags that contain the text. */
export const tagsQuery = (text: string) => {
  const has = text.trim()
  return queryOptions({
    queryKey: [...pathKey(tagsPath), has],
    queryFn: ({ signal, meta }) =>
      api<Collection<TagDocument>>(tagsPath, {
        query: { has, by: 'count', asc: false, limit: 8 },
        signal,
        meta,
      }),
    placeholderData: keepPreviousData,
  })
}
