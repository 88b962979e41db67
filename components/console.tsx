import ErrorBoundary from '@cloudscape-design/components/error-boundary'
import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, lazy, Suspense, useEffect, useState } from 'react'
import { Broken, Starting, Unreachable } from '#components/layout/starting'
import { SignIn } from '#components/sign-in/sign-in'
import { endSession, sessionQuery } from '#lib/auth/session.queries'
import type { SessionDocument } from '#lib/auth/session.schema'
import { watchAppearance } from '#lib/client/appearance'
import { createQueryClient } from '#lib/client/query-client'

const SignedIn = lazy(async () => ({ default: (await import('#components/layout/signed-in')).SignedIn }))

/** The single-page app. */
export function Console() {
  const [client] = useState(() => createQueryClient(endSession))
  useEffect(watchAppearance, [])
  return (
    <ErrorBoundary suppressNested onError={() => undefined} renderFallback={() => <Broken />}>
      <QueryClientProvider client={client}>
        <Gate />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

/**
 * Nobody signed in: the sign-in form at whatever address was asked for. When a session ends under an open screen, the
 * screen stays behind the form as it was, and whoever signs in again finds there what was typed.
 */
function Gate() {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const client = useQueryClient()
  const [user, setUser] = useState<SessionDocument>()
  if (session && session !== user) setUser(session)

  const enter = (next: SessionDocument) => {
    if (next.id !== user?.id) forgetAll(client)
    client.setQueryData(sessionQuery.queryKey, next)
  }

  if (session === undefined) return error ? <Unreachable error={error} retry={refetch} /> : <Starting />
  return (
    <>
      {!session && <SignIn again={user?.nick} onSignedIn={enter} />}
      {user && (
        <Activity mode={session ? 'visible' : 'hidden'}>
          <Suspense fallback={<Starting />}>
            <SignedIn key={user.id} session={user} />
          </Suspense>
        </Activity>
      )}
    </>
  )
}

/** What one user has seen is not for the next. */
const forgetAll = (client: QueryClient): void => {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}
