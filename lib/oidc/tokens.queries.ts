import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { ProviderTokens } from '#lib/oidc/tokens.schema'

/** What the provider gave with this sign-in. They leave memory with the page that shows them. */
export const providerTokensQuery = queryOptions({
  queryKey: ['session', 'tokens'],
  queryFn: ({ signal }) => api<ProviderTokens>('/api/session/tokens', { signal }),
  gcTime: 0,
})
