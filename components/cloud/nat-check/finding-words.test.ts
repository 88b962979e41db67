import { expect, test } from 'vitest'
import { rowIdOf } from '#lib/cloud/nat/check.queries'
import type { NatFinding, NatFindingCode } from '#lib/cloud/nat/check.schema'
import { fixKindOf } from './finding-words'

const finding = (code: NatFindingCode, fix?: NatFinding['fix']) => fixKindOf({ code, ...(fix && { fix }) })

test('a fix is named by what it does, and a finding without one has none', () => {
  expect(finding('NATCHECK-3', { method: 'PUT', href: '' })).toBe('attach')
  expect(finding('NATCHECK-3', { method: 'DELETE', href: '' })).toBe('removeRule')
  expect(finding('NATCHECK-12', { method: 'POST', href: '' })).toBe('create')
  expect(finding('NATCHECK-9')).toBeUndefined()
})

test('rows of 20,000 findings have different numbers, the same each time', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `NATCHECK-${(index % 12) + 1}.${index}`)
  expect(new Set(keys.map(rowIdOf)).size).toBe(keys.length)
  expect(rowIdOf('NATCHECK-9.17')).toBe(rowIdOf('NATCHECK-9.17'))
  expect(Number.isSafeInteger(rowIdOf('NATCHECK-5.1.2.3'))).toBe(true)
})
