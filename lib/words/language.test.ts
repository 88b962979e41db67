import { expect, test } from 'vitest'
import { speechFor } from '#lib/words/language'

test.each([
  ['en_US', 'en', 'en-US'],
  ['es_ES', 'es', 'es-ES'],
  ['es', 'es', 'es'],
  ['en', 'en', 'en'],
  ['es-MX', 'es', 'es-MX'],
  ['de_DE', 'en', 'de-DE'],
  ['', 'en', 'en-US'],
  ['not a locale', 'en', 'en-US'],
])('%s is spoken to in %s, with dates and numbers of %s', (locale, language, tag) => {
  expect(speechFor(locale)).toEqual({ language, locale: tag })
})
