import type { ReactNode } from 'react'
import { textFaults } from '#components/base/forms/form-faults'
import { isNick } from '#lib/caller/auth/password.schema'
import { type Named, namedBy } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { nickProblem } from '#lib/people/identity/nick'
import { isService, type UserDraft as SentDraft } from '#lib/people/identity/users.queries'
import { newUserInput, SERVICE, userInput } from '#lib/people/identity/users.schema'
import type { Say } from '#lib/words/words'

/** The fields of the user form. */
export type UserDraft = Pick<
  UserDocument,
  'nick' | 'name' | 'surname' | 'description' | 'email' | 'locale' | 'active' | 'locked' | 'allowedCIDRs'
> & {
  enterprise: Named | undefined
  role: Named | undefined
  /** The user's own scope; without one the enterprise's default applies. */
  scope: Named | undefined
  /** The kind of a new user: a service account has no password. */
  isService: boolean
  password: string
  /** A network that is typed and not in the list yet. */
  network: string
}

export type UserField =
  | 'nick'
  | 'name'
  | 'surname'
  | 'email'
  | 'description'
  | 'locale'
  | 'enterprise'
  | 'role'
  | 'scope'
  | 'active'
  | 'locked'
  | 'allowedCIDRs'
  | 'password'

export const emptyUser = (enterprise: Named | undefined, locale: string): UserDraft => ({
  nick: '',
  name: '',
  surname: '',
  description: '',
  email: '',
  locale,
  active: true,
  locked: false,
  allowedCIDRs: [],
  enterprise,
  role: undefined,
  scope: undefined,
  isService: false,
  password: '',
  network: '',
})

export const draftOfUser = (user: UserDocument): UserDraft => ({
  nick: user.nick,
  name: user.name,
  surname: user.surname,
  description: user.description,
  email: user.email,
  locale: user.locale,
  active: user.active,
  locked: user.locked,
  allowedCIDRs: user.allowedCIDRs,
  enterprise: namedBy(user, 'enterprise'),
  role: namedBy(user, 'role'),
  scope: namedBy(user, 'scope'),
  isService: isService(user),
  password: '',
  network: '',
})

/** The draft to send: texts are trimmed, and an empty password is left out, and any of a service account. */
export function sentUser({
  enterprise,
  role,
  scope,
  isService,
  password,
  network: _,
  ...fields
}: UserDraft): SentDraft {
  return {
    ...fields,
    nick: fields.nick.trim(),
    name: fields.name.trim(),
    surname: fields.surname.trim(),
    email: fields.email.trim(),
    enterprise: enterprise?.id ?? 0,
    role: role?.id ?? 0,
    scope: scope?.id,
    ...(isService ? { authType: SERVICE } : password !== '' && { password }),
  }
}

/** The faults of the draft by the shared schema, and its missing fields. */
export function checkUser(
  { say, sayText }: { say: Say<'users.faults'>; sayText: Say<'forms.faults'> },
  draft: UserDraft,
  { isNew, least }: { isNew: boolean; least: number },
): Partial<Record<UserField, ReactNode>> {
  const { nick, name, surname, description, email, password } = sentUser(draft)
  const texts = { nick, name, surname, description, email }
  const hasPassword = isNew && !draft.isService
  const faults = hasPassword
    ? textFaults(sayText, newUserInput, { ...texts, password: password ?? '' })
    : textFaults(sayText, userInput, { ...texts, password })
  return {
    ...faults,
    ...((isNew ? nickProblem(nick) : /[:\t\r\n]/.test(nick)) && { nick: say('nick') }),
    ...(faults.email && email.length <= 254 && { email: say('email') }),
    ...passwordFaults(say, { nick, password: hasPassword ? (password ?? '') : password }, least),
    ...(!draft.enterprise && { enterprise: say('enterprise') }),
    ...(!draft.role && { role: say('role') }),
    ...(draft.network.trim() !== '' && { allowedCIDRs: say('network') }),
  }
}

function passwordFaults(
  say: Say<'users.faults'>,
  { nick, password }: { nick: string; password: string | undefined },
  least: number,
): { password?: string } {
  if (password === undefined) return {}
  if ([...password].length < least) return { password: say('passwordShort', { least }) }
  return isNick(password, nick) ? { password: say('passwordIsNick') } : {}
}
