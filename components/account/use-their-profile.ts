import { useLocale, useTranslations } from 'use-intl'
import { localeName } from '#components/users/locales'
import type { UserDocument } from '#lib/identity/identity.schema'

/** What somebody else has made of the profile in the meantime. */
export function useTheirProfile({ name, surname, email, description, locale }: UserDocument) {
  const say = useTranslations('account.editProfile')
  const sayProfile = useTranslations('account.profile')
  const none = useTranslations('common')('none')
  const reader = useLocale()
  return [
    { label: sayProfile('fullName'), value: `${name} ${surname}`.trim() },
    { label: say('email'), value: email || none },
    { label: say('description'), value: description || none },
    { label: say('language'), value: localeName(locale, reader) },
  ]
}
