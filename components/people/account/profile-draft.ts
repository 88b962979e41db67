import { type FieldErrors, textFaults } from '#components/base/forms/form-faults'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { userInput } from '#lib/people/identity/users.schema'
import type { Say } from '#lib/words/words'

/** The fields of their own profile that users may change. */
export type Profile = Pick<UserDocument, 'name' | 'surname' | 'email' | 'description' | 'locale'>
export type ProfileField = keyof Profile

export const profileOf = ({ name, surname, email, description, locale }: UserDocument): Profile => ({
  name,
  surname,
  email,
  description,
  locale,
})

/** The faults of the draft, by field. */
export function checkProfile(
  sayText: Say<'forms.faults'>,
  sayEmail: Say<'users.faults'>,
  draft: Profile,
): FieldErrors<ProfileField> {
  const { name, surname, email, description } = draft
  const texts = { name: name.trim(), surname: surname.trim(), email: email.trim(), description }
  const faults = textFaults(sayText, userInput, texts)
  return { ...faults, ...(faults.email && texts.email.length <= 254 && { email: sayEmail('email') }) }
}
