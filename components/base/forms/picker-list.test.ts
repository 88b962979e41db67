import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { failureLine, statusOf } from './picker-list'

const list = { isPending: false, isFetching: false, isError: false, hasNextPage: false }

test.each([
  ['before the first page', { isPending: true }, 'loading'],
  ['while a page is on its way', { isFetching: true, hasNextPage: true }, 'loading'],
  ['while it is tried again', { isFetching: true, isError: true }, 'loading'],
  ['when a page could not be read', { isError: true, hasNextPage: true }, 'error'],
  ['where more can be scrolled to', { hasNextPage: true }, 'pending'],
  ['where all is there', {}, 'finished'],
])('%s', (_, state, status) => {
  expect(statusOf({ ...list, ...state })).toBe(status)
})

test('a failure is shown with its codes and the request id', () => {
  const faults = [{ code: 'GEN-13', message: 'An unexpected error occurred' }]
  const failed = 'The devices could not be loaded.'
  expect(failureLine(failed, new ApiFailure({ status: 500, faults, requestId: 'r-42' }), 'Request id')).toBe(
    `${failed} GEN-13 · Request id r-42`,
  )
  expect(failureLine(failed, new ApiFailure({ status: 0, faults }), 'Request id')).toBe(`${failed} GEN-13`)
  expect(failureLine(failed, new Error('broken'), 'Request id')).toBe(failed)
})
