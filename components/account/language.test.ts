import { expect, test } from 'vitest'
import { languageName } from './language'

test.each([
  ['en_US', 'American English'],
  ['es_ES', 'European Spanish'],
  ['de', 'German'],
  ['', ''],
  ['not a locale', 'not a locale'],
])('%j is called %j', (locale, name) => {
  expect(languageName(locale)).toBe(name)
})
