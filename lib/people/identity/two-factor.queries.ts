import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import type {
  SessionDocument,
  TwoFactorCredentials,
  TwoFactorProvider,
} from '#lib/caller/auth/session.schema'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { ApiFailure, api } from '#lib/client/api'

type Action = 'enable2fa' | 'disable2fa' | 'scratchcodes'

const actionOf = ({ id, enterprise }: SessionDocument, action: Action) =>
  `/api${pathOf(kinds.user, { enterprise: enterprise.id, id })}/action/${action}`

const withCode = ({ codeHeader }: SessionDocument, code: string) =>
  ({ method: 'POST', headers: { [codeHeader]: code }, once: false }) as const

const sessionChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: sessionQuery.queryKey })

/** Enables two factor at once. The answer holds the key and the scratch codes, which are never shown again. */
export const enableTwoFactor = (session: SessionDocument) =>
  mutationOptions({
    mutationFn: (type: TwoFactorProvider) =>
      api<TwoFactorCredentials>(actionOf(session, 'enable2fa'), {
        method: 'POST',
        body: { type },
        once: false,
      }),
    onSettled: (_data, _error, _type, _result, { client }) => {
      void sessionChanged(client)
    },
    // The credentials leave memory together with the page that shows them.
    gcTime: 0,
  })

/** Undoes an enrolment before a code is verified, in the session that began it. Finishes after the session is reloaded. */
export const takeBackTwoFactor = () =>
  mutationOptions({
    mutationFn: () => api<void>('/api/session/enrolment', { method: 'DELETE' }),
    onSuccess: (_data, _none, _result, { client }) => sessionChanged(client),
  })

/** Verifies a code, which completes the enrolment. */
export const proveCode = () =>
  mutationOptions({
    mutationFn: (code: string) =>
      api<void>('/api/session/code', { method: 'POST', body: { code }, once: false }),
    onSuccess: (_data, _code, _result, { client }) => sessionChanged(client),
    gcTime: 0,
  })

/** Disables two factor with a code or a scratch code. Finishes after the session is reloaded. */
export const disableTwoFactor = (session: SessionDocument) =>
  mutationOptions({
    mutationFn: (code: string) => api<void>(actionOf(session, 'disable2fa'), withCode(session, code)),
    onSuccess: (_data, _code, _result, { client }) => sessionChanged(client),
    gcTime: 0,
  })

/** Replaces the scratch codes, given a verification code. */
export const renewScratchCodes = (session: SessionDocument) =>
  mutationOptions({
    mutationFn: (code: string) =>
      api<TwoFactorCredentials>(actionOf(session, 'scratchcodes'), withCode(session, code)),
    onSuccess: (_data, _code, _result, { client }) => {
      void sessionChanged(client)
    },
    gcTime: 0,
  })

const RESEND_MS = 30_000

const codeMailKey = ['code-mail']

/** Has a code mailed. Returns when the next one may be sent (epoch milliseconds). */
export const mailCode = () =>
  mutationOptions({
    mutationKey: codeMailKey,
    mutationFn: async () => {
      await api<void>('/api/session/code/mail', { method: 'POST', once: false })
      return Date.now() + RESEND_MS
    },
  })

/** Filter for the recent requests for a mailed code, from any part of the console. */
export const mailedCodes = { mutationKey: codeMailKey, status: 'success' } as const

/** True if the code was refused and the session is still valid. */
export const isWrongCode = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure &&
  (error.status === 401 ? !error.sessionEnded : error.has('2FA-8') || error.has('CONSTR-PATTERN'))
