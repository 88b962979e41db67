import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { PasskeyAssertion } from '#lib/caller/auth/passkey.schema'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import type { passwordChangeInput, proofInput, SessionItem } from '#lib/caller/auth/session.schema'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query } from '#lib/client/resources.queries'

const sessionsPath = '/api/session/sessions'

/** One page of the caller's sessions. */
export const ownSessionsQuery = (query: Query) => collectionQuery<SessionItem>(sessionsPath, query)

const ownSessionsChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(sessionsPath) })

/** Refreshes the list after a refusal too, because the session may have expired. */
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

/** Ends the caller's other sessions too. Finishes after the session is reloaded, because the change may have been a duty. */
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

/** Proves the caller's identity by password, code or passkey. The server remembers the proof for PROOF_MINUTES. */
const proveSelf = (proof: z.infer<typeof proofInput>) =>
  api<void>('/api/session/proof', { method: 'POST', body: proof, once: false })

export const proveByPassword = () =>
  mutationOptions({ mutationFn: (oldPassword: string) => proveSelf({ oldPassword }), gcTime: 0 })

export const proveByPasskey = () =>
  mutationOptions({
    mutationFn: (passkey: PasskeyAssertion) => proveSelf({ passkey }),
    gcTime: 0,
  })

export const proveByCode = () =>
  mutationOptions({ mutationFn: (code: string) => proveSelf({ code }), gcTime: 0 })
