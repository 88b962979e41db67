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

const readSession = async (signal: AbortSignal): Promise<SessionDocument | null> =>
  (await api<SessionDocument | undefined>('/api/session', { signal })) ?? null

/** To sign out of a session that has ended is no failure. */
function nobody(error: unknown): null {
  if (error instanceof ApiFailure && error.status === 401) return null
  throw error
}

/** Leaves the rest of the cache: whoever signs in again finds the screen as it was. */
export function endSession(client: QueryClient): void {
  void client.cancelQueries()
  client.setQueryData(sessionQuery.queryKey, null)
}

export const signIn = (input: SignInInput): Promise<SessionDocument> =>
  api<SessionDocument>('/api/session', { method: 'POST', body: input })

export async function signOut(): Promise<void> {
  await api<void>('/api/session', { method: 'DELETE' }).catch(nobody)
}
