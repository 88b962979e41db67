import type { I18nProviderProps } from '@cloudscape-design/components/i18n'
import type { Language } from '#lib/words/language'

type ComponentMessages = Promise<{ default: I18nProviderProps.Messages }>

const load: Record<Language, () => ComponentMessages> = {
  en: () => import('@cloudscape-design/components/i18n/messages/all.en'),
  es: () => import('@cloudscape-design/components/i18n/messages/all.es'),
}
const loaded = new Map<Language, ComponentMessages>()

/** The texts of Cloudscape's components, loaded once for each language. */
export function componentMessages(language: Language): ComponentMessages {
  const known = loaded.get(language) ?? load[language]()
  loaded.set(language, known)
  return known
}
