import { useTranslations } from 'use-intl'
import type { Privilege } from '#lib/caller/auth/privileges'

/** Names the privilege that the user lacks. */
export function useNeeds(): (privilege: Privilege) => string {
  const say = useTranslations('forms.reasons')
  const nameOf = useTranslations('roles.privileges')
  return (privilege) => say('needs', { privilege: nameOf(privilege), name: privilege })
}
