import type { NamespaceKeys, NestedKeyOf, useTranslations } from 'use-intl'
import type { words as english } from '#lib/words/en/words'
import type { TellFault } from '#lib/words/faults'
import type { Language } from '#lib/words/language'

/** A translation has every message of the English words, and no other. */
export type TranslationOf<T> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : TranslationOf<T[Key]>
}

export type English = typeof english
type Words = TranslationOf<English>
export type Area = keyof Words

/** What `useTranslations` gives: for functions that are no components. */
export type Say<A extends NamespaceKeys<English, NestedKeyOf<English>>> = ReturnType<
  typeof useTranslations<A>
>

declare module 'use-intl' {
  interface AppConfig {
    Messages: English
  }
}

/** What a language brings: the words of the screens, and how refusals of the API are told. */
export type Dictionary<A extends Area = Area> = { words: Pick<Words, A>; tellFault: TellFault }

const loaders = {
  entrance: {
    en: () => import('#lib/words/en/entrance'),
    es: () => import('#lib/words/es/entrance'),
  },
  console: {
    en: () => import('#lib/words/en/dictionary'),
    es: () => import('#lib/words/es/dictionary'),
  },
} satisfies Record<string, Record<Language, () => Promise<Dictionary<'common' | 'signIn'>>>>

const asked = new Map<string, Promise<Dictionary<'common' | 'signIn'>>>()

/** The words of the screens before sign-in, or of the whole console. They are asked for once. */
export function dictionaryOf(place: keyof typeof loaders, language: Language) {
  const key = `${place} ${language}`
  const known = asked.get(key) ?? loaders[place][language]()
  asked.set(key, known)
  return known
}
