import { expect, test } from 'vitest'
import { type BulkCall, changedOf, changeInSteps, filterText, previewOf } from './bulk.queries'
import type { BulkReport } from './bulk.schema'

const empty: BulkReport = { links: [], total: 0, changed: 0, unchanged: 0, refused: 0, refusals: [], ids: [] }

/** Replaces the API with these rows, and changes `size` rows in a call. */
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
  const sum = await changeInSteps(call, [{ filter: 'has=1' }], {
    report: ({ changed }) => seen.push(changed),
    isStopped: () => false,
  })
  expect(sum).toMatchObject({ total: 5, changed: 5, ids: [1, 2, 3, 4, 5] })
  expect(seen).toEqual([2, 4, 5])
  expect(asked).toMatchObject([{ filter: 'has=1' }, { after: 2, event: 7 }, { after: 4, event: 7 }])
})

test('calls no more once it is stopped', async () => {
  const { asked, call } = apiWith([1, 2, 3, 4, 5], 2)
  const isStopped = () => asked.length === 2
  const sum = await changeInSteps(call, [{ ids: [1, 2, 3, 4, 5] }], { report: () => undefined, isStopped })
  expect(sum).toMatchObject({ total: 5, changed: 4 })
})

test('rows of two datacenters are two changes with one sum, and only the changed rows are undone', async () => {
  const rows: Record<number, number[]> = { 1: [1, 3, 5], 2: [2, 4] }
  const asked: object[] = []
  const call: BulkCall = async ({ at = 0, after = 0, event }) => {
    asked.push({ at, after, event })
    const left = (rows[at] ?? []).filter((id) => id > after)
    // The API changes two rows in a call, and refuses the row 4.
    const ids = left.slice(0, 2).filter((id) => id !== 4)
    const next = left.length > 2 ? ids.at(-1) : undefined
    const refused = left.slice(0, 2).length - ids.length
    return {
      ...empty,
      total: left.length,
      changed: ids.length,
      refused,
      ids,
      event: at * 10,
      ...(next && { next }),
    }
  }
  const selections = [
    { at: 1, ids: [1, 3, 5] },
    { at: 2, ids: [2, 4] },
  ]
  const totals: number[] = []
  const sum = await changeInSteps(call, selections, {
    report: ({ total }) => totals.push(total),
    isStopped: () => false,
  })
  expect(sum).toMatchObject({ total: 5, changed: 4, refused: 1, ids: [1, 3, 5, 2] })
  // Rows that have not begun count from the start, so that the progress does not jump back.
  expect(totals).toEqual([5, 5, 5])
  expect(asked).toEqual([
    { at: 1, after: 0, event: undefined },
    { at: 1, after: 3, event: 10 },
    { at: 2, after: 0, event: undefined },
  ])
  expect(changedOf(selections, sum.ids)).toEqual([
    { at: 1, ids: [1, 3, 5] },
    { at: 2, ids: [2] },
  ])
  expect(changedOf([{ filter: 'has=1' }], [7])).toEqual([{ at: undefined, ids: [7] }])
})

test('the preview of several datacenters adds up the uses of their rows', async () => {
  const impacts: Record<number, BulkReport['impact']> = {
    1: { attached: 2, defaultSnat: 1, rules: 3, enterprises: ['Cobalt', 'Delta'], totalEnterprises: 3 },
    2: { attached: 1, defaultSnat: 0, rules: 0, enterprises: ['Cobalt'], totalEnterprises: 1 },
  }
  const call: BulkCall = async ({ at = 0, dryrun }) => ({
    ...empty,
    total: dryrun ? at * 10 : 0,
    impact: impacts[at],
  })
  const selections = [
    { at: 1, ids: [1] },
    { at: 2, ids: [2] },
  ]
  expect(await previewOf(call, selections)).toMatchObject({
    total: 30,
    impact: { attached: 3, defaultSnat: 1, rules: 3, enterprises: ['Cobalt', 'Delta'], totalEnterprises: 3 },
  })
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
