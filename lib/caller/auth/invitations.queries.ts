import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { PasskeyInput, passkeyCreationOptions } from '#lib/caller/auth/passkey.schema'
import type { Invitation, SessionDocument } from '#lib/caller/auth/session.schema'
import { api } from '#lib/client/api'
import { tellTabs } from '#lib/client/tabs'

const path = '/api/session/invitation'

/** The invitation of a link. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => api<Invitation>(path, { method: 'POST', body: { token }, once: false }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

type Answer = { token: string } & (
  | { password: string }
  | { passkey: Pick<PasskeyInput, 'name' | 'response'> }
)

/** Signs in the invited user, in place of anyone who was signed in here. */
export async function acceptInvitation(answer: Answer): Promise<SessionDocument> {
  const session = await api<SessionDocument>(path, { method: 'PUT', body: answer })
  tellTabs({ type: 'session' })
  return session
}

type CreationOptions = z.infer<typeof passkeyCreationOptions>

export const invitationPasskeyOptions = (token: string): Promise<CreationOptions> =>
  api<CreationOptions>(`${path}/options`, { method: 'POST', body: { token }, once: false })
