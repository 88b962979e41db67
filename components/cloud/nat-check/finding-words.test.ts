import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { rowIdOf } from '#lib/cloud/nat/check.queries'
import type { NatFinding, NatFindingCode } from '#lib/cloud/nat/check.schema'
import { words } from '#lib/words/en/words'
import type { Say } from '#lib/words/words'
import { fixKindOf, ruleText } from './finding-words'

const finding = (code: NatFindingCode, fix?: NatFinding['fix']) => fixKindOf({ code, ...(fix && { fix }) })

test('a fix is named by what it does, and a finding without one has none', () => {
  expect(finding('NATCHECK-3', { method: 'PUT', href: '' })).toBe('attach')
  expect(finding('NATCHECK-3', { method: 'DELETE', href: '' })).toBe('removeRule')
  expect(finding('NATCHECK-12', { method: 'POST', href: '' })).toBe('create')
  expect(finding('NATCHECK-9')).toBeUndefined()
})

const say: Say<'natCheck'> = createTranslator({ locale: 'en', messages: words, namespace: 'natCheck' })

test('a rule in short has its range of ports', () => {
  const text = (more: object) =>
    ruleText(say, { snat: false, protocol: 'TCP', originalPort: 90, translatedPort: 90, ...more })
  expect(text({})).toBe('TCP 90')
  expect(text({ originalPortEnd: 99 })).toBe('TCP 90-99')
  expect(text({ originalPortEnd: 99, translatedPort: 80 })).toBe('TCP 90-99 → 80')
})

test('rows of 20,000 findings have different numbers, the same each time', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `NATCHECK-${(index % 12) + 1}.${index}`)
  expect(new Set(keys.map(rowIdOf)).size).toBe(keys.length)
  expect(rowIdOf('NATCHECK-9.17')).toBe(rowIdOf('NATCHECK-9.17'))
  expect(Number.isSafeInteger(rowIdOf('NATCHECK-5.1.2.3'))).toBe(true)
})
