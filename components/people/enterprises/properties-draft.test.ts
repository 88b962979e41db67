import { expect, test } from 'vitest'
import { isSame, isSound, keyFault, propertiesOf, rowsOf, valueFault } from './properties-draft'

const rows = (...pairs: [string, string][]) => pairs.map(([key, value], row) => ({ row, key, value }))

test('a difference shows added and removed items', () => {
  const written = rows(['zone', 'b'], [' tier ', 'gold'])
  expect(propertiesOf(written)).toEqual({ zone: 'b', tier: 'gold' })
  expect(isSame(written, { tier: 'gold', zone: 'b' })).toBe(true)
  expect(isSame(written, { tier: 'gold', zone: 'c' })).toBe(false)
  expect(isSame(rowsOf({ tier: 'gold' }), { tier: 'gold' })).toBe(true)
})

test('a key is there, is there once, and is as the API takes it', () => {
  const written = rows(['tier', ''], [' ', ''], ['tier ', ''], ['k'.repeat(129), ''], ['a\u0000b', ''])
  expect(written.map((property) => keyFault(property, written))).toEqual([
    undefined,
    'keyEmpty',
    'keyTwice',
    'keyLength',
    'keyPattern',
  ])
})

test('a value may be empty, and is as the API takes it', () => {
  const written = rows(['a', ''], ['b', 'v'.repeat(2049)], ['c', '\u0007'])
  expect(written.map(valueFault)).toEqual([undefined, 'valueLength', 'valuePattern'])
  expect(isSound(written)).toBe(false)
  expect(isSound(rows(['a', '']))).toBe(true)
})
