import { isNick, PASSWORD_LENGTH } from '#lib/auth/password.schema'
import { ApiFailure } from '#lib/client/api'
import { faultOfNewPassword, refusalOfNewPassword } from '../sign-in/new-password-faults'

export type PasswordDraft = { oldPassword: string; password: string }
export type PasswordFaults = Partial<PasswordDraft>

/** What is wrong with the draft, at the field where it is. */
export function faultsOf(draft: PasswordDraft, nick: string): PasswordFaults {
  const old = draft.oldPassword === '' ? 'Enter the password that you have now.' : undefined
  return atFields(old, newPasswordFault(draft, nick))
}

function newPasswordFault({ oldPassword, password }: PasswordDraft, nick: string): string | undefined {
  if (isNick(password, nick)) return 'This is your nick. Choose what nobody would try first.'
  if (password !== '' && password === oldPassword)
    return 'This is the password that you have now. Choose another one.'
  return faultOfNewPassword(password)
}

/** Where the server's refusal belongs to. */
export const refusalOf = (error: unknown): PasswordFaults =>
  atFields(
    error instanceof ApiFailure && error.has('SIGN-IN-3')
      ? 'This is not the password that you have now.'
      : undefined,
    refusalOfNewPassword(error),
  )

const atFields = (oldPassword: string | undefined, password: string | undefined): PasswordFaults => ({
  ...(oldPassword && { oldPassword }),
  ...(password && { password }),
})

/** How far the new password is from being long enough; counted in characters, as the server does. */
export function lengthHint(typed: string): string {
  const { min } = PASSWORD_LENGTH
  const length = [...typed].length
  if (length === 0) return `${min} characters at least. A few words in a row are easy to keep.`
  return length < min ? `${length} of at least ${min} characters.` : `${length} characters: long enough.`
}
