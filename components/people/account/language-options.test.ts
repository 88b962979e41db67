import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { languageOptions, spokenAs } from './language-options'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'account.editProfile' })

const namesOf = (reader: string, current = 'en_US') => languageOptions(say, reader, current)

const inGroup = (about: string, reader: string) => namesOf(reader).filter((option) => option.about === about)

test('complete languages come first, and labels show the translated share of the others', () => {
  const all = namesOf('en-US')
  expect(all.slice(0, 2)).toEqual([
    { id: 'en_US', name: 'English (United States)', about: 'Complete translations' },
    { id: 'es_ES', name: 'Spanish (Spain)', about: 'Complete translations' },
  ])
  const spanish = inGroup('Texts in Spanish, dates and numbers of the country', 'en-US')
  expect(spanish.map(({ id }) => id)).toContain('es_MX')
  expect(all.slice(2 + spanish.length).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['en_GB', 'de_DE']),
  )
})

test('names are in the reader’s language and alphabetical order', () => {
  const english = inGroup(say('inEnglish'), 'es-ES').map(({ name }) => name)
  expect(english).toContain('Alemán (Alemania)')
  expect(english).toEqual(english.toSorted(new Intl.Collator('es').compare))
})

test('users keep a language that the list does not offer', () => {
  expect(namesOf('en-US', 'en_ZA').map(({ id }) => id)).toContain('en_ZA')
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
