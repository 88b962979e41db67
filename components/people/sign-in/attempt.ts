import { clockHint } from '#components/base/session/verification-code'
import { ApiFailure } from '#lib/client/api'
import type { Say } from '#lib/words/words'

export type SignInStep = 'password' | 'app-code' | 'mailed-code'
export type Fields = { nick: string; password: string; code: string }
export type Field = keyof Fields

const fieldsOf: Record<SignInStep, readonly Field[]> = {
  password: ['nick', 'password'],
  'app-code': ['code'],
  'mailed-code': ['code'],
}

/** The empty fields of the step. */
export const emptyFields = (fields: Fields, step: SignInStep): Field[] =>
  fieldsOf[step].filter((field) => isEmpty(field, fields[field]))

/** A password may consist of spaces only. */
const isEmpty = (field: Field, value: string): boolean =>
  field === 'password' ? value === '' : value.trim() === ''

/** The field whose value the server refused. */
export function refusedField(error: unknown): Field | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('SIGN-IN-0')) return 'password'
  if (error.has('SIGN-IN-2')) return 'code'
}

/** The server did not accept the passkey. */
export const refusesPasskey = (error: unknown): boolean =>
  error instanceof ApiFailure && error.has('SIGN-IN-9')

type Speech = { say: Say<'signIn.refused'>; sayClock: Say<'common.clock'> }

export function refusalText({ say, sayClock }: Speech, error: unknown): string | undefined {
  const field = refusedField(error)
  if (!(error instanceof ApiFailure) || !field) return
  if (field === 'password') return say('password')
  if (error.clockOffset !== undefined) return clockHint(sayClock, error.clockOffset)
  return say(error.codeType === 'EMAIL' ? 'mailedCode' : 'appCode')
}

/** The password is correct, and a code is missing. */
export const asksForCode = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.has('SIGN-IN-1')

/** SIGN-IN-0 in answer to a code: the password has changed meanwhile. */
export function stepAfter(error: unknown, step: SignInStep): SignInStep {
  if (asksForCode(error)) return error.codeType === 'EMAIL' ? 'mailed-code' : 'app-code'
  return error instanceof ApiFailure && error.has('SIGN-IN-0') ? 'password' : step
}

/** The seconds to wait after too many attempts. */
export const waitAfter = (error: unknown): number | undefined =>
  error instanceof ApiFailure && error.status === 429 ? error.retryAfter : undefined
