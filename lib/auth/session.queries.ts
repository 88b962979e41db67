import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionDocument, SignInInput } from '#lib/auth/session.schema'
import { ApiFailure, api } from '#lib/client/api'

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
})

async function readSession(signal: AbortSignal): Promise<SessionDocument | null> {
  try {
    return await api<SessionDocument>('/api/session', { signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
}

/** Leaves the rest of the cache: whoever signs in again finds the screen as it was. */
export function endSession(client: QueryClient): void {
  void client.cancelQueries()
  client.setQueryData(sessionQuery.queryKey, null)
}

export const signIn = (input: SignInInput): Promise<SessionDocument> =>
  api<SessionDocument>('/api/session', { method: 'POST', body: input })

export const signOut = (): Promise<void> => api<void>('/api/session', { method: 'DELETE' })
