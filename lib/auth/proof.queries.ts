import { mutationOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { proofInput } from '#lib/auth/session.schema'
import { api } from '#lib/client/api'

/** Proves who is signed in, by password or code: the session is asked for no other proof for some minutes. */
const proveSelf = (proof: z.infer<typeof proofInput>) =>
  api<void>('/api/session/proof', { method: 'POST', body: proof })

export const proveByPassword = () =>
  mutationOptions({ mutationFn: (oldPassword: string) => proveSelf({ oldPassword }), gcTime: 0 })

export const proveByCode = () =>
  mutationOptions({ mutationFn: (code: string) => proveSelf({ code }), gcTime: 0 })
