import { useTranslations } from 'use-intl'

/** Says it in the language that the console speaks since then. */
export const ProfileSaved = () => useTranslations('account.editProfile')('saved')
