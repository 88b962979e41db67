import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionDocument, SignInInput, SignInWays } from '#lib/caller/auth/session.schema'
import { ApiFailure, api } from '#lib/client/api'
import { tellTabs } from '#lib/client/tabs'
import { newSession, noteSession, presentSession } from '#lib/client/waiting'

/** The signed-in user's session; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, signal }) => recognize(client, await readSession(signal)),
  // A signed-out user may sign in in another tab, so null is never fresh.
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
  // The head start has just asked, or the document shows that the browser sent no session.
  refetchOnMount: ({ state }) => state.data !== null,
  gcTime: Number.POSITIVE_INFINITY,
})

const readSession = async (signal?: AbortSignal): Promise<SessionDocument | null> =>
  (await api<SessionDocument | undefined>('/api/session', { meta: undefined, ...(signal && { signal }) })) ??
  null

/** Clears the cache of another user. If the same user signs in again, requests that waited for the sign-in continue. */
function recognize(client: QueryClient, session: SessionDocument | null): SessionDocument | null {
  if (!session) return null
  const { user, viewer } = presentSession()
  const same = session.id === user && session.viewer?.id === viewer
  if (user !== undefined && !same)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  noteSession(session.id, session.viewer?.id)
  newSession.answer(same)
  return session
}

/** Reloads the session and its remaining time. If the server cannot be reached, the session stays as it is. */
export async function renewSession(client: QueryClient): Promise<void> {
  const session = await readSession().catch(() => undefined)
  if (session) enterSession(client, session)
  else if (session === null) endSession(client)
}

export function enterSession(client: QueryClient, session: SessionDocument): void {
  client.setQueryData(sessionQuery.queryKey, recognize(client, session))
}

/** The sign-in mechanisms, which change only when the server restarts. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => api<SignInWays>('/api/session/ways', { signal, meta: undefined }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Signing out of a session that has already ended is not a failure. */
function nullIfUnauthorized(error: unknown): null {
  if (error instanceof ApiFailure && error.status === 401) return null
  throw error
}

/** Keeps the rest of the cache, so that the screen is unchanged after signing in again. */
export function endSession(client: QueryClient): void {
  void client.cancelQueries()
  client.setQueryData(sessionQuery.queryKey, null)
}

/** A refusal that shows that the session has ended, or that it now shows what another user sees, or no longer. */
export function hearRefusal(client: QueryClient, refusal: ApiFailure): void {
  if (refusal.sessionEnded) endSession(client)
  else if (refusal.has('SEE-AS-1') || refusal.has('SEE-AS-2')) void renewSession(client)
}

/** The session shows what its own user sees again. The view may have ended already. */
export async function endSeeAs(): Promise<void> {
  await api<void>('/api/session/seeas', { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiFailure && error.has('SEE-AS-2'))) throw error
  })
  tellTabs({ type: 'session' })
}

export async function signIn(input: SignInInput): Promise<SessionDocument> {
  const session = await api<SessionDocument>('/api/session', { method: 'POST', body: input, once: false })
  tellTabs({ type: 'session' })
  return session
}

export async function signOut(): Promise<void> {
  await api<void>('/api/session', { method: 'DELETE' }).catch(nullIfUnauthorized)
  tellTabs({ type: 'session' })
}

/** The answer does not reveal whether the user exists. */
export const requestPasswordReset = (input: { nick: string }): Promise<void> =>
  api<void>('/api/session/passwordreset', { method: 'POST', body: input, once: false })

/** Asks administrators by mail to reset two factor, for a user who knows their password. */
export const requestTwoFactorReset = (input: { nick: string; password: string }): Promise<void> =>
  api<void>('/api/session/twofactorreset', { method: 'POST', body: input, once: false })

/** Ends every session of the user, including those of other tabs. */
export async function resetPassword(input: { token: string; password: string }): Promise<void> {
  await api<void>('/api/session/passwordreset', { method: 'PUT', body: input })
  tellTabs({ type: 'session' })
}
