import { expect, test } from 'vitest'
import { nickProblem } from '#lib/people/identity/nick'

test.each([
  'marta.ibáñez',
  'marta.iba\u0301n\u0303ez',
  'J. R. \u201cBob\u201d O\u2019Neill-7 \u{1f600}',
  'name@example.com',
  'straße & søn',
  'Владимир',
  'йога.Її',
  'Ελένη ά',
  'ελε\u0301νη',
  'שָׁלוֹם',
  'مُحَمَّد',
  'हिन्दी',
  'বাংলা',
  'ภาษาไทย ที่นี่',
  'မြန်မာ',
  'ខ្មែរ',
  '王小明 Wang',
  '田中ともこ トモコ tanaka ー',
  'が \u304b\u3099',
  'ㄅㄆㄇ 王 wang',
  '김철수 Kim 金',
  '១២៣',
])('%s is a nick', (nick) => {
  expect(nickProblem(nick)).toBeUndefined()
})

const MIXED = 'must not mix letters of different scripts'
const RARE = 'must not contain letters of a rare script'
const MARKS = 'must not contain combining marks'

test.each([
  ['a Cyrillic а in Latin', '\u0430dmin', MIXED],
  ['a Greek ο in Latin', 'r\u03bf\u03bft', MIXED],
  ['an Armenian օ in Latin', 'r\u0585\u0585t', MIXED],
  ['Latin in Cyrillic', 'Владиmир', MIXED],
  ['Latin beside Cyrillic', 'Ivan Иван', MIXED],
  ['Hiragana beside Hangul', 'あ김', MIXED],
  ['Bopomofo beside Hiragana', 'ㄅあ', MIXED],
  ['a Thai mark on a Latin letter', 'a\u0e31dmin', MIXED],
  ['Arabic digits in Latin', 'admin\u0661', MIXED],
  ['Cherokee', 'ᎪᎳᎩ', RARE],
  ['Lisu', 'ꓮꓓꓟꓲꓠ', RARE],
  ['Coptic in Latin', 'r\u2c9f\u2c9ft', RARE],
  ['a mark that does not compose', 'admi\u0308n\u0335', MARKS],
  ['an overlay', 'ad\u0338min', MARKS],
  ['an underline', 'admi\u0332n', MARKS],
  ['an enclosing mark', 'admin\u20dd', MARKS],
  ['a Cyrillic mark', 'Вла\u0483', MARKS],
  ['a mark at the beginning', '\u0e31ก', MARKS],
  ['a mark on a digit', '1\u0e31', MARKS],
  ['the same mark twice', 'ก\u0e31\u0e31', MARKS],
  ['a tower of marks', 'ש\u05b0\u05b1\u05b2\u05b3\u05b4', MARKS],
])('%s is refused', (_what, nick, problem) => {
  expect(nickProblem(nick)).toBe(problem)
})
