import { useTranslations } from 'use-intl'
import type { Privilege } from '#lib/caller/auth/privileges'

/** Names all privileges that the user lacks. */
export function useNeeds(): (...privileges: Privilege[]) => string {
  const say = useTranslations('forms.reasons')
  const nameOf = useTranslations('roles.privileges')
  return (...privileges) =>
    privileges.map((privilege) => say('needs', { privilege: nameOf(privilege), name: privilege })).join(' ')
}
