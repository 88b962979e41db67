import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { failureLine } from './picker-list'

test('a failure is shown with its codes and the request id', () => {
  const faults = [{ code: 'GEN-13', message: 'An unexpected error occurred' }]
  const failed = 'The devices could not be loaded.'
  expect(failureLine(failed, new ApiFailure({ status: 500, faults, requestId: 'r-42' }), 'Request id')).toBe(
    `${failed} GEN-13 · Request id r-42`,
  )
  expect(failureLine(failed, new ApiFailure({ status: 0, faults }), 'Request id')).toBe(`${failed} GEN-13`)
  expect(failureLine(failed, new Error('broken'), 'Request id')).toBe(failed)
})
