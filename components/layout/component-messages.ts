import type { I18nProviderProps } from '@cloudscape-design/components/i18n'
import type { Language } from '#lib/words/language'

type ComponentMessages = Promise<{ default: I18nProviderProps.Messages }>

const load: Record<Language, () => ComponentMessages> = {
  en: () => import('@cloudscape-design/components/i18n/messages/all.en'),
  es: () => import('@cloudscape-design/components/i18n/messages/all.es'),
}
const asked = new Map<Language, ComponentMessages>()

/** What the components say themselves. It is asked for once. */
export function componentMessages(language: Language): ComponentMessages {
  const known = asked.get(language) ?? load[language]()
  asked.set(language, known)
  return known
}
