import type { MessageKeys, NamespaceKeys, NestedKeyOf, NestedValueOf, useTranslations } from 'use-intl'
import type { words as english } from '#lib/words/en/words'
import type { Language } from '#lib/words/language'
import type { TranslateFault, TranslationOf } from '#lib/words/translation'

export type English = typeof english
type Words = TranslationOf<English>
export type Area = keyof Words

type Namespace = NamespaceKeys<English, NestedKeyOf<English>>
type KeysOf<Messages> = MessageKeys<Messages, NestedKeyOf<Messages>>

/**
 * The result of `useTranslations`, as a parameter of plain functions. The compiler does not compare the generic signatures of
 * translators. So `has` repeats the keys without type parameters, and `area` exists only for the compiler.
 */
export type Say<A extends Namespace> = ReturnType<typeof useTranslations<A>> & {
  has: (key: KeysOf<NestedValueOf<English, A>>) => boolean
  readonly area?: A
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: English
  }
}

/** The texts of the screens in one language, and its translation of refusals. */
export type Dictionary<A extends Area = Area> = { words: Pick<Words, A>; translateFault: TranslateFault }

const loaders = {
  entrance: {
    en: () => import('#lib/words/en/entrance'),
    es: () => import('#lib/words/es/entrance'),
  },
  console: {
    en: () => import('#lib/words/en/words'),
    es: () => import('#lib/words/es/words'),
  },
} satisfies Record<string, Record<Language, () => Promise<Dictionary<'common' | 'signIn'>>>>

const loaded = new Map<string, Promise<Dictionary<'common' | 'signIn'>>>()

/** The texts of the screens before sign-in, or of the whole console. Each is fetched once. */
export function dictionaryOf(place: keyof typeof loaders, language: Language) {
  const key = `${place} ${language}`
  const dictionary = loaded.get(key) ?? loaders[place][language]()
  loaded.set(key, dictionary)
  return dictionary
}

/** Any text, by its whole path, such as `common.save`. */
export type WordId = KeysOf<English>

/** A label that needs no values. */
export type LabelId = Exclude<Parameters<Say<'labels'>>[0], 'factsAbout' | 'userCount' | 'usersOf'>
