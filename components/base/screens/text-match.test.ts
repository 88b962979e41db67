import { expect, test } from 'vitest'
import { matchParts, nextByPrefix } from './text-match'

const marked = (text: string, search: string) =>
  matchParts(text, search)
    .map((part) => (part.match ? `[${part.text}]` : part.text))
    .join('')

test('every place of a match is marked, whatever its case', () => {
  expect(marked('Banana', 'AN')).toBe('B[an][an]a')
  expect(marked('Ávila', 'á')).toBe('[Á]vila')
})

test('the search text is taken literally', () => {
  expect(marked('a.c abc (x) \\ 100%_', '.')).toBe('a[.]c abc (x) \\ 100%_')
  expect(marked('a (x) b', '(x)')).toBe('a [(x)] b')
  expect(marked('50-60 %', '-60 %')).toBe('50[-60 %]')
})

test('without a search nothing is marked', () => {
  expect(matchParts('Iberia', '')).toEqual([{ text: 'Iberia', match: false }])
})

const names = ['Global', 'Iberia', 'Italy', 'Madrid']

test('a letter moves to the next name that starts with it, and wraps around', () => {
  expect(nextByPrefix(names, 0, 'i')).toBe(1)
  expect(nextByPrefix(names, 1, 'i')).toBe(2)
  expect(nextByPrefix(names, 2, 'i')).toBe(1)
})

test('more letters stay where they fit', () => {
  expect(nextByPrefix(names, 1, 'ib')).toBe(1)
  expect(nextByPrefix(names, 1, 'it')).toBe(2)
  expect(nextByPrefix(names, 3, 'x')).toBe(-1)
})
