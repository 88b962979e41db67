import { ApiFailure } from '#lib/client/api'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'
import type { Say } from '#lib/words/words'

type SayFault = Say<'signIn.newPassword'>

/** The fault of a new password, before it is sent. */
export function faultOfNewPassword(say: SayFault, typed: string, least: number): string | undefined {
  const length = [...typed].length
  if (length === 0) return say('missing')
  if (length < least) return say('tooShort', { length, least })
  if (length > PASSWORD_LENGTH.most) return say('tooLong', { most: PASSWORD_LENGTH.most })
}

/** The faults that only the server can find: common passwords, and the nick as password. */
export function refusalOfNewPassword(say: SayFault, error: unknown): string | undefined {
  if (!(error instanceof ApiFailure)) return
  if (error.has('CONSTR-PATTERN')) return say('isCommon')
  if (error.has('CONSTR-LENGTH')) return say('badLength')
}

/** The mailed link has been used or has expired. */
export const isSpentLink = (error: unknown): boolean => error instanceof ApiFailure && error.has('SIGN-IN-4')
