import type { Option } from '#components/kit/picker'
import { localeOptions } from '#components/people/users/locales'
import { speechFor } from '#lib/words/language'
import type { Say } from '#lib/words/words'

/** The locales with a translation of their own. */
const complete = ['en_US', 'es_ES']

type SpokenAs = 'complete' | 'inEnglish' | 'inSpanish'

/** The language of the console for users with this locale. */
export function spokenAs(locale: string): SpokenAs {
  if (complete.includes(locale)) return 'complete'
  return speechFor(locale).language === 'es' ? 'inSpanish' : 'inEnglish'
}

/** Languages and countries by name, complete translations first; always includes `current`. */
export function languageOptions(
  say: Say<'account.editProfile'>,
  reader: string,
  current: string,
): Option<string>[] {
  const { compare } = new Intl.Collator(reader)
  const options = localeOptions(reader, current).toSorted((one, other) => compare(one.label, other.label))
  return (['complete', 'inSpanish', 'inEnglish'] as const).flatMap((spoken) =>
    options
      .filter(({ value }) => spokenAs(value) === spoken)
      .map(({ value, label }) => ({ id: value, name: label, about: say(spoken) })),
  )
}
