import { useTranslations } from 'use-intl'
import type { Privilege } from '#lib/auth/privileges'

/** Tells why something is not open to the user. */
export function useNeeds(): (privilege: Privilege) => string {
  const say = useTranslations('forms.reasons')
  const nameOf = useTranslations('roles.privileges')
  return (privilege) => say('needs', { privilege: nameOf(privilege), name: privilege })
}
