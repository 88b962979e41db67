import { clockHint } from '#components/layout/clock-offset'
import { ApiFailure } from '#lib/client/api'

export type Step = 'password' | 'app-code' | 'mailed-code'
export type Fields = { nick: string; password: string; code: string }
export type Field = keyof Fields

const fieldsOf: Record<Step, readonly Field[]> = {
  password: ['nick', 'password'],
  'app-code': ['code'],
  'mailed-code': ['code'],
}

const missing: Fields = {
  nick: 'Enter your nick.',
  password: 'Enter your password.',
  code: 'Enter a code.',
}

export const emptyFields = (fields: Fields, step: Step): Partial<Fields> =>
  Object.fromEntries(
    fieldsOf[step].filter((field) => isEmpty(field, fields[field])).map((field) => [field, missing[field]]),
  )

/** A password may consist of spaces. */
const isEmpty = (field: Field, value: string): boolean =>
  field === 'password' ? value === '' : value.trim() === ''

type Refusal = { field: Field; message: string }

/** The server has looked at what was typed and refused it. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('SIGN-IN-0')) return { field: 'password', message: 'The nick or the password is wrong.' }
  if (error.has('SIGN-IN-2')) return { field: 'code', message: wrongCode(error) }
}

function wrongCode({ codeType, clockOffset }: ApiFailure): string {
  if (clockOffset !== undefined) return clockHint(clockOffset)
  return codeType === 'EMAIL'
    ? 'This code is wrong, was used already or has run out. Take the one of the last mail.'
    : 'This code is wrong or was used already. Try the next one.'
}

/** The password was right, a code is missing. */
export const asksForCode = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.has('SIGN-IN-1')

/** SIGN-IN-0 at a code: the password is right no more. */
export function stepAfter(error: unknown, step: Step): Step {
  if (asksForCode(error)) return error.codeType === 'EMAIL' ? 'mailed-code' : 'app-code'
  return error instanceof ApiFailure && error.has('SIGN-IN-0') ? 'password' : step
}

/** Too many attempts: the next one after so many seconds. */
export const waitAfter = (error: unknown): number | undefined =>
  error instanceof ApiFailure && error.status === 429 ? error.retryAfter : undefined
