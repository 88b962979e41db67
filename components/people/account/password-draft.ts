import { faultOfNewPassword, refusalOfNewPassword } from '#components/people/sign-in/new-password-faults'
import { isNick } from '#lib/caller/auth/password.schema'
import { ApiFailure } from '#lib/client/api'
import type { Say } from '#lib/words/words'

type PasswordDraft = { oldPassword: string; password: string }
type PasswordFaults = Partial<PasswordDraft>

type SayFaults = { say: Say<'account.password'>; sayNew: Say<'signIn.newPassword'> }

/** The user, and the minimum length of a password in this installation. */
type Owner = { nick: string; least: number }

/** The faults of the draft, by field. */
export function faultsOf(words: SayFaults, draft: PasswordDraft, owner: Owner): PasswordFaults {
  const old = draft.oldPassword === '' ? words.say('missing') : undefined
  return atFields(old, newPasswordFault(words, draft, owner))
}

function newPasswordFault(
  { say, sayNew }: SayFaults,
  { oldPassword, password }: PasswordDraft,
  { nick, least }: Owner,
): string | undefined {
  if (isNick(password, nick)) return say('isNick')
  if (password !== '' && password === oldPassword) return say('isSame')
  return faultOfNewPassword(sayNew, password, least)
}

/** The faults that the server found, by field. */
export const refusalOf = ({ say, sayNew }: SayFaults, error: unknown): PasswordFaults =>
  atFields(
    error instanceof ApiFailure && error.has('SIGN-IN-3') ? say('isWrong') : undefined,
    refusalOfNewPassword(sayNew, error),
  )

const atFields = (oldPassword: string | undefined, password: string | undefined): PasswordFaults => ({
  ...(oldPassword && { oldPassword }),
  ...(password && { password }),
})

/** Compares the length of the new password with the minimum, counted in characters like the server. */
export function lengthHint(say: Say<'account.password'>, typed: string, least: number): string {
  const length = [...typed].length
  if (length === 0) return say('hint', { least })
  return length < least ? say('hintShort', { length, least }) : say('hintEnough', { length })
}
