import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'

/** The description of the API; it changes with the server alone. */
export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => api<object>('/api/openapi.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
