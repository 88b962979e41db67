import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { scratchCodeFileName, scratchCodeText } from './scratch-codes'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'account.scratchCodes' })
const owner = { issuer: 'My Cloud', account: 'ana@example.org', host: 'cloud.example.org' }

test('the file names the account and has each code on a numbered line', () => {
  expect(scratchCodeText(say, { owner, codes: ['12345678', '00000042'], day: '2026-11-21' })).toBe(
    [
      'Scratch codes of ana@example.org at My Cloud',
      'cloud.example.org, 2026-11-21',
      '',
      ' 1. 12345678',
      ' 2. 00000042',
      '',
      'Each code works once, in place of the usual verification code.',
      'Keep them where nobody else can read them, and not only on the phone or in the mailbox that your usual codes come from.',
      '',
    ].join('\n'),
  )
})

test('the host replaces an issuer without a name', () => {
  expect(scratchCodeText(say, { owner: { ...owner, issuer: '' }, codes: [], day: '2026-11-21' })).toContain(
    'at cloud.example.org\n2026-11-21\n',
  )
})

test('the file name has no character that a file system refuses', () => {
  expect(scratchCodeFileName(say, owner)).toBe('scratch-codes-my-cloud-ana-example-org.txt')
  expect(scratchCodeFileName(say, { ...owner, issuer: '../..', account: 'José/Ñ' })).toBe(
    'scratch-codes-josé-ñ.txt',
  )
})
