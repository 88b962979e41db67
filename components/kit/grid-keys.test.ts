import { expect, test } from 'vitest'
import { moveOf } from './grid-keys'

const place = { line: 3, lines: 29, stop: 2, stops: 5 }

test.each([
  ['ArrowRight', { stop: 3 }],
  ['ArrowLeft', { stop: 1 }],
  ['ArrowDown', { line: 4 }],
  ['ArrowUp', { line: 2 }],
  ['PageDown', { line: 13 }],
  ['PageUp', { line: 0 }],
  ['Home', { stop: 0 }],
  ['End', { stop: 4 }],
])('%s moves the focus in the grid', (key, move) => {
  expect(moveOf(key, false, place)).toEqual(move)
})

test('Home and End with Ctrl lead to the corners', () => {
  expect(moveOf('Home', true, place)).toEqual({ line: 0, column: 'first' })
  expect(moveOf('End', true, place)).toEqual({ line: 28, column: 'last' })
})

test('at an edge the focus stays', () => {
  const first = { ...place, line: 0, stop: 0 }
  const last = { ...place, line: 28, stop: 4 }
  expect(moveOf('ArrowUp', false, first)).toEqual({ line: 0 })
  expect(moveOf('ArrowLeft', false, first)).toEqual({ stop: 0 })
  expect(moveOf('ArrowDown', false, last)).toEqual({ line: 28 })
  expect(moveOf('PageDown', false, last)).toEqual({ line: 28 })
  expect(moveOf('ArrowRight', false, last)).toEqual({ stop: 4 })
})

test.each(['a', 'Enter', ' ', 'Tab', 'Escape'])('%s moves nothing', (key) => {
  expect(moveOf(key, false, place)).toBeUndefined()
})
