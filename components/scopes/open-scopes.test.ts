import { expect, test } from 'vitest'
import { formatOpen, parseOpen, toggled, withMore } from './open-scopes'

test('open branches survive the URL round trip', () => {
  const open = withMore(toggled(toggled(new Map([[0, 1]]), 12), 7), 7)
  expect(formatOpen(open)).toBe('0-12-7.2')
  expect(parseOpen(formatOpen(open))).toEqual(open)
})

test('without a word in the address nothing was chosen yet', () => {
  expect(parseOpen(null)).toBeUndefined()
  expect(parseOpen('0')).toEqual(new Map([[0, 1]]))
})

test('nonsense in the address is passed over', () => {
  expect(parseOpen('x--7.9999-<b>-3.0-4')).toEqual(
    new Map([
      [0, 1],
      [3, 1],
      [4, 1],
    ]),
  )
})

test('toggling twice changes nothing', () => {
  expect(toggled(toggled(new Map([[0, 1]]), 5), 5)).toEqual(new Map([[0, 1]]))
})

test('an address opens no more than a page can bear', () => {
  const text = Array.from({ length: 900 }, (_, index) => `${index}.9`).join('-')
  expect(parseOpen(text)?.size).toBeLessThan(50)
})
