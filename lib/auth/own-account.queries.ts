import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { sessionQuery } from '#lib/auth/session.queries'
import type { passwordChangeInput, proofInput, SessionItem } from '#lib/auth/session.schema'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query } from '#lib/client/resources.queries'

const sessionsPath = '/api/session/sessions'

/** One page of the places where the user is signed in, the last used first. */
export const ownSessionsQuery = (query: Query) => collectionQuery<SessionItem>(sessionsPath, query)

/** After any change of them: whatever lists them asks again. */
const ownSessionsChanged = (client: QueryClient): Promise<void> =>
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

type PasswordChange = z.infer<typeof passwordChangeInput>

/** Changes the caller's password, which ends their other sessions. Done when the session says what is open now. */
export const changeOwnPassword = () =>
  mutationOptions({
    mutationFn: (change: PasswordChange) =>
      api<void>('/api/session/password', { method: 'PUT', body: change }),
    onSuccess: async (_data, _change, _result, { client }) => {
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      void ownSessionsChanged(client)
    },
    gcTime: 0,
  })

/** Proves the caller's identity by password or code. The server asks for no other proof for some minutes. */
const proveSelf = (proof: z.infer<typeof proofInput>) =>
  api<void>('/api/session/proof', { method: 'POST', body: proof })

export const proveByPassword = () =>
  mutationOptions({ mutationFn: (oldPassword: string) => proveSelf({ oldPassword }), gcTime: 0 })

export const proveByCode = () =>
  mutationOptions({ mutationFn: (code: string) => proveSelf({ code }), gcTime: 0 })
