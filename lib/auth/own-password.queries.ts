import { mutationOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { ownSessionsChanged } from '#lib/auth/own-sessions.queries'
import { sessionQuery } from '#lib/auth/session.queries'
import type { passwordChangeInput } from '#lib/auth/session.schema'
import { api } from '#lib/client/api'

type PasswordChange = z.infer<typeof passwordChangeInput>

/** Changes the password of the session's user; done when the session says what is open now. Everything else that was signed in ends. */
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
