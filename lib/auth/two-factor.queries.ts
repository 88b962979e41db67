import { mutationOptions } from '@tanstack/react-query'
import { sessionQuery } from '#lib/auth/session.queries'
import type { SessionDocument, TwoFactorCredentials, TwoFactorProvider } from '#lib/auth/session.schema'
import { ApiFailure, api } from '#lib/client/api'

const actionOf = ({ id, enterprise }: SessionDocument, action: 'enable2fa' | 'disable2fa') =>
  `/api/admin/enterprises/${enterprise.id}/users/${id}/action/${action}`

/** Turns two factor on at once; the answer holds the key and the scratch codes, which are never shown again. */
export const enableTwoFactor = (session: SessionDocument) =>
  mutationOptions({
    mutationFn: (type: TwoFactorProvider) =>
      api<TwoFactorCredentials>(actionOf(session, 'enable2fa'), { method: 'POST', body: { type } }),
    onSettled: (_data, _error, _type, _result, { client }) => {
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    // The credentials leave memory together with the page that shows them.
    gcTime: 0,
  })

/** Shows that the app of the session's user gives right codes. */
export const proveCode = () =>
  mutationOptions({
    mutationFn: (code: string) => api<void>('/api/session/code', { method: 'POST', body: { code } }),
    gcTime: 0,
  })

/** Turns two factor off with a code of the app or a scratch code; done when the session says so too. */
export const disableTwoFactor = (session: SessionDocument) =>
  mutationOptions({
    mutationFn: (code: string) =>
      api<void>(actionOf(session, 'disable2fa'), { method: 'POST', headers: { 'X-Service-OTP': code } }),
    onSuccess: (_data, _code, _result, { client }) =>
      client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    gcTime: 0,
  })

/** The code was refused, and nothing else is wrong. */
export const isWrongCode = (error: unknown): boolean =>
  error instanceof ApiFailure &&
  (error.status === 401 ? !error.sessionEnded : error.has('2FA-8') || error.has('CONSTR-PATTERN'))
