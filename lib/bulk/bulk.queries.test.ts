import { expect, test } from 'vitest'
import { type BulkCall, changeInSteps, filterText } from './bulk.queries'
import type { BulkReport } from './bulk.schema'

const empty: BulkReport = { links: [], total: 0, changed: 0, unchanged: 0, refused: 0, refusals: [], ids: [] }

/** Stands in for an API with these rows, which changes `size` rows in a call. */
function apiWith(rows: number[], size: number) {
  const asked: object[] = []
  const call: BulkCall = async (body) => {
    asked.push(body)
    const left = rows.filter((id) => id > (body.after ?? 0))
    const ids = left.slice(0, size)
    const next = left.length > size ? ids.at(-1) : undefined
    return { ...empty, total: left.length, changed: ids.length, ids, event: 7, ...(next && { next }) }
  }
  return { asked, call }
}

test('calls until no rows are left, in one event, and sums up', async () => {
  const { asked, call } = apiWith([1, 2, 3, 4, 5], 2)
  const seen: number[] = []
  const sum = await changeInSteps(
    call,
    { filter: 'has=1' },
    { report: ({ changed }) => seen.push(changed), isStopped: () => false },
  )
  expect(sum).toMatchObject({ total: 5, changed: 5, ids: [1, 2, 3, 4, 5] })
  expect(seen).toEqual([2, 4, 5])
  expect(asked).toMatchObject([{ filter: 'has=1' }, { after: 2, event: 7 }, { after: 4, event: 7 }])
})

test('calls no more once it is stopped', async () => {
  const { asked, call } = apiWith([1, 2, 3, 4, 5], 2)
  const isStopped = () => asked.length === 2
  const sum = await changeInSteps(call, { ids: [1, 2, 3, 4, 5] }, { report: () => undefined, isStopped })
  expect(sum).toMatchObject({ total: 5, changed: 4 })
})

test('the filter of a list has neither page nor order', () => {
  const query = {
    startwith: 50,
    limit: 25,
    by: 'ip',
    asc: true,
    all: true,
    has: '10.0&1',
    network: undefined,
  }
  expect(filterText(query)).toBe('all=true&has=10.0%261')
})
