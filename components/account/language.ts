const names = new Intl.DisplayNames('en', { type: 'language' })

/** `es_ES` → `European Spanish`; a locale that is none is shown as it is. */
export function languageName(locale: string): string {
  try {
    return names.of(locale.replaceAll('_', '-')) ?? locale
  } catch {
    return locale
  }
}
