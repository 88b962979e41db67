import { ApiFailure } from '#lib/client/api'

export type Step = 'password' | 'code'
export type Fields = { nick: string; password: string; code: string }
export type Field = keyof Fields

const fieldsOf: Record<Step, readonly Field[]> = { password: ['nick', 'password'], code: ['code'] }

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

type Refusal = { code: string; field: Field; message: string }

const refusals: readonly Refusal[] = [
  { code: 'SIGN-IN-0', field: 'password', message: 'The nick or the password is wrong.' },
  { code: 'SIGN-IN-2', field: 'code', message: 'This code is wrong or was used already. Try the next one.' },
]

/** The server has looked at what was typed and refused it. */
export const refusalOf = (error: unknown): Refusal | undefined =>
  refusals.find(({ code }) => error instanceof ApiFailure && error.has(code))

/** SIGN-IN-1: the password was right, a code is missing. SIGN-IN-0: it is right no more. */
export function stepAfter(error: unknown, step: Step): Step {
  if (!(error instanceof ApiFailure)) return step
  if (error.has('SIGN-IN-1')) return 'code'
  return error.has('SIGN-IN-0') ? 'password' : step
}
