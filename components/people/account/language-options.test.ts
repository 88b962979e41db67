import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { languageOptions, spokenAs } from './language-options'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'account.editProfile' })

const groupsFor = (reader: string, current = 'en_US') =>
  languageOptions(say, reader, current).map(({ label, options }) => ({
    label,
    names: options.map((option) => option.label ?? ''),
    values: options.map((option) => option.value),
  }))

test('complete languages come first, and labels show the translated share of the others', () => {
  const [complete, spanish, english] = groupsFor('en-US')
  expect(complete).toEqual({
    label: 'Complete translations',
    names: ['English (United States)', 'Spanish (Spain)'],
    values: ['en_US', 'es_ES'],
  })
  expect(spanish?.label).toBe('Texts in Spanish, dates and numbers of the country')
  expect(spanish?.values).toContain('es_MX')
  expect(english?.values).toEqual(expect.arrayContaining(['en_GB', 'de_DE']))
})

test('names are in the reader’s language and alphabetical order', () => {
  const english = groupsFor('es-ES').at(-1)
  expect(english?.names).toContain('Alemán (Alemania)')
  expect(english?.names).toEqual(english?.names.toSorted(new Intl.Collator('es').compare))
})

test('users keep a language that the list does not offer', () => {
  expect(groupsFor('en-US', 'en_ZA').at(-1)?.values).toContain('en_ZA')
})

test.each([
  ['en_US', 'complete'],
  ['es_ES', 'complete'],
  ['es_AR', 'inSpanish'],
  ['en_GB', 'inEnglish'],
  ['de_DE', 'inEnglish'],
])('%s is spoken as %s', (locale, spoken) => {
  expect(spokenAs(locale)).toBe(spoken)
})
