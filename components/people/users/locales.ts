import { languages } from '#lib/words/language'

/** The locales to choose from. A user's other locale is kept and listed too. */
const offered = [
  'ar_SA',
  'bg_BG',
  'ca_ES',
  'cs_CZ',
  'da_DK',
  'de_AT',
  'de_CH',
  'de_DE',
  'el_GR',
  'en_AU',
  'en_CA',
  'en_GB',
  'en_IE',
  'en_IN',
  'en_US',
  'es_AR',
  'es_CL',
  'es_CO',
  'es_ES',
  'es_MX',
  'es_PE',
  'et_EE',
  'eu_ES',
  'fi_FI',
  'fr_BE',
  'fr_CA',
  'fr_CH',
  'fr_FR',
  'gl_ES',
  'he_IL',
  'hi_IN',
  'hr_HR',
  'hu_HU',
  'it_IT',
  'ja_JP',
  'ko_KR',
  'lt_LT',
  'lv_LV',
  'nb_NO',
  'nl_BE',
  'nl_NL',
  'pl_PL',
  'pt_BR',
  'pt_PT',
  'ro_RO',
  'sk_SK',
  'sl_SI',
  'sv_SE',
  'tr_TR',
  'uk_UA',
  'zh_CN',
  'zh_TW',
]

type LocaleOption = { value: string; label: string; isTranslated: boolean }

/** The name of a locale in the language `reader`: `es_ES` → Spanish (Spain), `es` → Spanish. */
export function localeName(locale: string, reader: string): string {
  const [language = '', country] = locale.split('_')
  try {
    const named = new Intl.DisplayNames(reader, { type: 'language' }).of(language) ?? language
    const name = `${named.charAt(0).toLocaleUpperCase(reader)}${named.slice(1)}`
    if (country === undefined) return name
    return `${name} (${new Intl.DisplayNames(reader, { type: 'region' }).of(country) ?? country})`
  } catch {
    // The locale of a profile may be malformed.
    return locale
  }
}

/** The options: first the languages of the console, then the others by name. */
export function localeOptions(reader: string, current: string): LocaleOption[] {
  const { compare } = new Intl.Collator(reader)
  const all = offered.includes(current) ? offered : [...offered, current]
  return all
    .map((value) => ({ value, label: localeName(value, reader), isTranslated: isTranslated(value) }))
    .toSorted(
      (one, other) =>
        Number(other.isTranslated) - Number(one.isTranslated) || compare(one.label, other.label),
    )
}

const isTranslated = (locale: string): boolean =>
  languages.some((language) => locale.split('_', 1)[0] === language)
