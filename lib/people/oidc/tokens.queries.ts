import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { ProviderTokens } from '#lib/people/oidc/tokens.schema'

/** The provider's tokens of this session. They leave memory with the page that shows them. */
export const providerTokensQuery = queryOptions({
  queryKey: ['session', 'tokens'],
  queryFn: ({ signal, meta }) => api<ProviderTokens>('/api/session/tokens', { signal, meta }),
  gcTime: 0,
})

/** Exchanges the refresh token at the provider, then reads the stored tokens again. */
export const renewProviderTokens = () =>
  mutationOptions({
    mutationFn: (refreshToken: string) =>
      api<unknown>('/api/auth/oidc/refresh', {
        method: 'POST',
        once: false,
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      }),
    // The response contains tokens.
    gcTime: 0,
    onSuccess: (_answer, _refreshToken, _result, { client }) =>
      client.invalidateQueries({ queryKey: providerTokensQuery.queryKey }),
  })
