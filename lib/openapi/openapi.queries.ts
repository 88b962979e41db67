import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'

/** The OpenAPI description. It only changes with a new server version. */
export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => api<object>('/api/openapi.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
