import { PASSWORD_LENGTH, password } from '#lib/auth/password.schema'
import { ApiFailure } from '#lib/client/api'

/** What is wrong with a new password before it is sent. */
export function faultOfNewPassword(typed: string): string | undefined {
  if (typed === '') return 'Enter a new password.'
  if (password.safeParse(typed).success) return
  const length = [...typed].length
  return length < PASSWORD_LENGTH.min
    ? `This is too short: ${length} of at least ${PASSWORD_LENGTH.min} characters.`
    : `Use ${PASSWORD_LENGTH.max} characters at most.`
}

/** What the server alone knows: whose password it is going to be. */
export function refusalOfNewPassword(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('CONSTR-PATTERN')) return 'This is your nick. Choose what nobody would try first.'
  if (error.has('CONSTR-LENGTH')) return 'This is too short or too long.'
}

/** The mailed link was used already or has run out. */
export const isSpentLink = (error: unknown): boolean => error instanceof ApiFailure && error.has('SIGN-IN-4')
