import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { SessionItem } from '#lib/auth/session.schema'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query } from '#lib/client/resources.queries'

const sessionsPath = '/api/session/sessions'

/** One page of the places where the user is signed in, the last used first. */
export const ownSessionsQuery = (query: Query) => collectionQuery<SessionItem>(sessionsPath, query)

/** After any change of them: whatever lists them asks again. */
export const ownSessionsChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(sessionsPath) })

/** Also after a refusal: the session had ended by itself then. */
export const endOwnSession = () =>
  mutationOptions({
    mutationFn: ({ id }: SessionItem) => api<void>(`${sessionsPath}/${id}`, { method: 'DELETE' }),
    onSettled: (_data, _error, _session, _result, { client }) => ownSessionsChanged(client),
  })

export const endOtherSessions = () =>
  mutationOptions({
    mutationFn: () => api<void>(sessionsPath, { method: 'DELETE' }),
    onSuccess: (_data, _none, _result, { client }) => ownSessionsChanged(client),
  })
