import { ApiFailure } from '#lib/client/api'
import { PASSWORD_LENGTH } from '#lib/password-length'
import type { Say } from '#lib/words/words'

type SayFault = Say<'signIn.newPassword'>

/** What is wrong with a new password before it is sent. */
export function faultOfNewPassword(say: SayFault, typed: string, least: number): string | undefined {
  const length = [...typed].length
  if (length === 0) return say('missing')
  if (length < least) return say('tooShort', { length, least })
  if (length > PASSWORD_LENGTH.most) return say('tooLong', { most: PASSWORD_LENGTH.most })
}

/** What the server alone knows: whose password it is going to be, and the common ones. */
export function refusalOfNewPassword(say: SayFault, error: unknown): string | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('CONSTR-PATTERN')) return say('isCommon')
  if (error.has('CONSTR-LENGTH')) return say('badLength')
}

/** The mailed link was used already or has run out. */
export const isSpentLink = (error: unknown): boolean => error instanceof ApiFailure && error.has('SIGN-IN-4')
