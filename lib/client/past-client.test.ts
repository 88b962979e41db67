import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { clientAt, presentOf } from './past-client'

test('a moment has one client, which knows the one of the present, also when asked beside another past', () => {
  const present = new QueryClient()
  const end = () => undefined
  const first = clientAt('2026-11-20T10:00:00Z', present, end)
  const second = clientAt('2026-11-21T10:00:00Z', first, end)
  expect(clientAt(undefined, present, end)).toBe(present)
  expect(clientAt('2026-11-20T10:00:00Z', first, end)).toBe(first)
  expect([first, second, present].map(presentOf)).toEqual([present, present, present])
  expect(second.getDefaultOptions().queries?.meta).toEqual({ asof: '2026-11-21T10:00:00Z' })
})
