import { expect, test } from 'vitest'
import { localeName, localeOptions } from './locales'

test('a locale is named by its language and country, in the reader’s language', () => {
  expect(localeName('es_ES', 'en-US')).toBe('Spanish (Spain)')
  expect(localeName('de_AT', 'es-ES')).toBe('Alemán (Austria)')
  expect(localeName('nonsense', 'en-US')).toContain('onsense')
})

test('the languages of the console come first, the others by name, and an unknown locale of the user stays', () => {
  const options = localeOptions('en-US', 'cy_GB')
  const [first] = options
  expect(first?.isTranslated).toBe(true)
  expect(options.findIndex(({ isTranslated }) => !isTranslated)).toBe(
    options.filter(({ isTranslated }) => isTranslated).length,
  )
  expect(options.map(({ value }) => value)).toContain('cy_GB')
})
