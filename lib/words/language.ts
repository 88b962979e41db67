/** The languages that the console is written in, the fallback first. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** The language of a user: the words, and the formats of dates and numbers. */
export type Speech = { language: Language; locale: string }

/** The speech for a locale such as `es_ES` or `de-DE`: words fall back to English, dates and numbers do not. */
export function speechFor(locale: string): Speech {
  const tag = canonical(locale) ?? 'en-US'
  const language = languages.find((known) => known === tag.split('-', 1)[0]) ?? languages[0]
  return { language, locale: tag }
}

/** The languages of the browser, until a user signs in. */
export const speechOfBrowser = (): Speech => speechFor(navigator.language)

function canonical(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0]
  } catch {
    // The locale of a profile may be malformed.
    return undefined
  }
}
