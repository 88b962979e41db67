import { PASSWORD_LENGTH, password } from '#lib/auth/password.schema'
import { ApiFailure } from '#lib/client/api'
import type { Say } from '#lib/words/words'

type SayFault = Say<'signIn.newPassword'>

/** What is wrong with a new password before it is sent. */
export function faultOfNewPassword(say: SayFault, typed: string): string | undefined {
  if (typed === '') return say('missing')
  if (password.safeParse(typed).success) return
  const length = [...typed].length
  return length < PASSWORD_LENGTH.min
    ? say('tooShort', { length, least: PASSWORD_LENGTH.min })
    : say('tooLong', { most: PASSWORD_LENGTH.max })
}

/** What the server alone knows: whose password it is going to be. */
export function refusalOfNewPassword(say: SayFault, error: unknown): string | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('CONSTR-PATTERN')) return say('isNick')
  if (error.has('CONSTR-LENGTH')) return say('badLength')
}

/** The mailed link was used already or has run out. */
export const isSpentLink = (error: unknown): boolean => error instanceof ApiFailure && error.has('SIGN-IN-4')
