import { api } from '#lib/client/api'
import type { BulkRefusal, BulkReport } from './bulk.schema'

/** The rows of a bulk change: these, or all that match the query of the list. */
export type BulkSelection = { ids: readonly number[] } | { filter: string }

type Page = { most?: number; after?: number; event?: number | undefined; dryrun?: boolean }

/** One call of the API for a part of the rows. */
export type BulkCall = (selection: BulkSelection & Page) => Promise<BulkReport>

export const bulkCall =
  (path: string, change: object = {}): BulkCall =>
  (selection) =>
    api<BulkReport>(path, { method: 'POST', body: { ...change, ...selection } })

/** So few rows that the progress moves, so many that a call is worth its way. */
const ROWS = 200

export type BulkProgress = Pick<BulkReport, 'total' | 'changed' | 'unchanged' | 'refused' | 'ids'> & {
  refusals: readonly BulkRefusal[]
}

export const noProgress: BulkProgress = {
  total: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  ids: [],
  refusals: [],
}

/** Calls until no rows are left or `isStopped`, and reports the sums after each call. All calls are one event. */
export async function changeInSteps(
  call: BulkCall,
  selection: BulkSelection,
  { report, isStopped }: { report: (sum: BulkProgress) => void; isStopped: () => boolean },
): Promise<BulkProgress> {
  let sum = noProgress
  let page: Page | undefined = {}
  while (page && !isStopped()) {
    const step: BulkReport = await call({ ...selection, ...page, most: ROWS })
    sum = {
      // The rows that are left when the first call begins are all rows.
      total: sum.total || step.total,
      changed: sum.changed + step.changed,
      unchanged: sum.unchanged + step.unchanged,
      refused: sum.refused + step.refused,
      ids: [...sum.ids, ...step.ids],
      refusals: [...sum.refusals, ...step.refusals],
    }
    report(sum)
    page = step.next === undefined ? undefined : { after: step.next, event: step.event }
  }
  return sum
}

/** The query of a list as the filter of a bulk change: without its page and order. */
export function filterText(query: Record<string, string | number | boolean | undefined>): string {
  const { startwith: _, limit: _limit, by: _by, asc: _asc, ...filters } = query
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') text.set(name, String(value))
  return text.toString()
}
