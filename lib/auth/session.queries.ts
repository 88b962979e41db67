import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionDocument, SignInInput, SignInWays } from '#lib/auth/session.schema'
import { ApiFailure, api } from '#lib/client/api'
import { tellTabs } from '#lib/client/tabs'
import { newSession } from '#lib/client/waiting'

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, signal }) => recognize(client, await readSession(signal)),
  // Who is signed out may sign in beside this page.
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
  gcTime: Number.POSITIVE_INFINITY,
})

const readSession = async (signal?: AbortSignal): Promise<SessionDocument | null> =>
  (await api<SessionDocument | undefined>('/api/session', signal && { signal })) ?? null

let lastUser: number | undefined

/** What one user has seen is not for the next; what the same one was about to change goes on. */
function recognize(client: QueryClient, session: SessionDocument | null): SessionDocument | null {
  if (!session) return null
  const same = session.id === lastUser
  if (lastUser !== undefined && !same)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  lastUser = session.id
  newSession.answer(same)
  return session
}

/** Asks anew who is signed in, and for how long. A server that cannot be reached says nothing of it. */
export async function renewSession(client: QueryClient): Promise<void> {
  const session = await readSession().catch(() => undefined)
  if (session) enterSession(client, session)
  else if (session === null) endSession(client)
}

/** Goes on as this user. */
export function enterSession(client: QueryClient, session: SessionDocument): void {
  client.setQueryData(sessionQuery.queryKey, recognize(client, session))
}

/** What the sign-in page offers: the same as long as the server runs. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => api<SignInWays>('/api/session/ways', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** To sign out of a session that has ended is no failure. */
function nobody(error: unknown): null {
  if (error instanceof ApiFailure && error.status === 401) return null
  throw error
}

/** Keeps the rest of the cache, so that the screen is unchanged after signing in again. */
export function endSession(client: QueryClient): void {
  void client.cancelQueries()
  client.setQueryData(sessionQuery.queryKey, null)
}

export async function signIn(input: SignInInput): Promise<SessionDocument> {
  const session = await api<SessionDocument>('/api/session', { method: 'POST', body: input })
  tellTabs({ type: 'session' })
  return session
}

export async function signOut(): Promise<void> {
  await api<void>('/api/session', { method: 'DELETE' }).catch(nobody)
  tellTabs({ type: 'session' })
}

/** The answer does not tell whether there is such a user. */
export const requestPasswordReset = (input: { nick: string }): Promise<void> =>
  api<void>('/api/session/passwordreset', { method: 'POST', body: input })

/** Ends every session of the user, those of other tabs too. */
export async function resetPassword(input: { token: string; password: string }): Promise<void> {
  await api<void>('/api/session/passwordreset', { method: 'PUT', body: input })
  tellTabs({ type: 'session' })
}
