import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { SignInMechanisms, SignInTrial } from '#lib/people/federation/mechanisms.schema'

/** The mechanisms in force. They change only when the server restarts. */
export const mechanismsQuery = queryOptions({
  queryKey: ['api', 'config', 'signin'],
  queryFn: ({ signal, meta }) => api<SignInMechanisms>('/api/config/signin', { signal, meta }),
})

/** The result of a trial, which never changes. */
export const trialQuery = (id: string) =>
  queryOptions({
    queryKey: ['api', 'config', 'signin', 'trial', id],
    queryFn: ({ signal, meta }) =>
      api<SignInTrial>('/api/config/signin/trial', { query: { id }, signal, meta }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
