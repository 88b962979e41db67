import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { holdsEveryCode, readCodesFile, scratchCodeText } from './scratch-codes'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'account.scratchCodes' })
const codes = ['12345678', '00000042', '98765432']
const owner = { issuer: 'My Cloud', account: 'ana', host: 'cloud.example.org' }

test('the file that was downloaded holds every code', () => {
  expect(holdsEveryCode(scratchCodeText(say, { owner, codes, day: '2026-11-21' }), codes)).toBe(true)
})

test('codes with gaps are found', () => {
  expect(holdsEveryCode('1234 5678\r\n0000-0042\r\n9876 5432', codes)).toBe(true)
})

test.each(['', 'holiday pictures', '12345678\n00000042', '12345678\n00000042\n9876\n5432'])(
  '%j does not',
  (text) => {
    expect(holdsEveryCode(text, codes)).toBe(false)
  },
)

test('without codes, no file holds them', () => {
  expect(holdsEveryCode('', [])).toBe(false)
})

test('a file that is far too long is not read', async () => {
  expect(await readCodesFile(new File(['1234'], 'codes.txt'))).toBe('1234')
  expect(await readCodesFile(new File(['1'.repeat(1_000_001)], 'film.mp4'))).toBe('')
})
