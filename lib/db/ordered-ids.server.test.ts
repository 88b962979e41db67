import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbersIn } from '#lib/db/ordered-ids.server'

test('ids are read from their text as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(Number.MAX_SAFE_INTEGER)), (ids) => {
      expect([...numbersIn(ids.join(','))]).toEqual(ids)
    }),
  )
})
