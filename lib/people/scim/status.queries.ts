import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { ScimStatus } from '#lib/people/scim/status.schema'

/** The use of SCIM. It changes without the user. */
export const scimStatusQuery = queryOptions({
  queryKey: ['api', 'config', 'scim'],
  queryFn: ({ signal, meta }) => api<ScimStatus>('/api/config/scim', { signal, meta }),
  staleTime: 0,
})
