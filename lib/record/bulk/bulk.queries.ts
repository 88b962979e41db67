import { api } from '#lib/client/api'
import { createOnce } from '#lib/client/once'
import type { BulkImpact, BulkRefusal, BulkReport } from './bulk.schema'

/**
 * The rows of a bulk change: these, or all rows that match the query of the list. `at` is the datacenter of the rows, if a list shows
 * several: the API changes the rows of one datacenter in a call.
 */
export type BulkSelection = ({ ids: readonly number[] } | { filter: string }) & { at?: number | undefined }

type Page = { most?: number; after?: number; event?: number | undefined; dryrun?: boolean }

/** One call of the API for a part of the rows. */
export type BulkCall = (selection: BulkSelection & Page) => Promise<BulkReport>

export const bulkCall =
  (path: string | ((at: number | undefined) => string), change: object = {}): BulkCall =>
  ({ at, ...selection }) =>
    api<BulkReport>(typeof path === 'string' ? path : path(at), {
      method: 'POST',
      once: selection.dryrun ? false : createOnce(),
      body: { ...change, ...selection },
    })

/** Few enough rows to show progress, and many enough to be worth a call. */
const ROWS = 200

export type BulkProgress = Pick<BulkReport, 'total' | 'changed' | 'unchanged' | 'refused' | 'ids'> & {
  refusals: readonly BulkRefusal[]
  /** One for each selection of which a row was changed. */
  events: readonly number[]
}

export const noProgress: BulkProgress = {
  total: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  ids: [],
  refusals: [],
  events: [],
}

type Steps = { report: (sum: BulkProgress) => void; isStopped: () => boolean }

/** Calls until no rows are left or `isStopped`, and reports the sums after each call. All calls of a selection are one event. */
export async function changeInSteps(
  call: BulkCall,
  selections: readonly BulkSelection[],
  { report, isStopped }: Steps,
): Promise<BulkProgress> {
  let sum = noProgress
  let waiting = selections.reduce((count, selection) => count + sizeOf(selection), 0)
  let begun = 0
  for (const selection of selections) {
    let page: Page | undefined = {}
    waiting -= sizeOf(selection)
    while (page && !isStopped()) {
      const step: BulkReport = await call({ ...selection, ...page, most: ROWS })
      // The rows that are left when the first call begins are all rows of the selection.
      if (page.after === undefined) begun += step.total
      sum = {
        total: begun + waiting,
        changed: sum.changed + step.changed,
        unchanged: sum.unchanged + step.unchanged,
        refused: sum.refused + step.refused,
        ids: [...sum.ids, ...step.ids],
        refusals: [...sum.refusals, ...step.refusals],
        events: [...new Set([...sum.events, ...(step.event === undefined ? [] : [step.event])])],
      }
      report(sum)
      page = step.next === undefined ? undefined : { after: step.next, event: step.event }
    }
  }
  return sum
}

const sizeOf = (selection: BulkSelection): number => ('ids' in selection ? selection.ids.length : 0)

/** A preview of a change of all selections. */
export async function previewOf(call: BulkCall, selections: readonly BulkSelection[]): Promise<BulkReport> {
  const reports = await Promise.all(selections.map((selection) => call({ ...selection, dryrun: true })))
  return reports.reduce(bothPreviews)
}

const bothPreviews = (one: BulkReport, other: BulkReport): BulkReport => ({
  ...one,
  total: one.total + other.total,
  ...(one.impact && other.impact && { impact: bothImpacts(one.impact, other.impact) }),
})

function bothImpacts(one: BulkImpact, other: BulkImpact): BulkImpact {
  const enterprises = [...new Set([...one.enterprises, ...other.enterprises])]
  const unnamed = ({ enterprises, totalEnterprises }: BulkImpact) => totalEnterprises - enterprises.length
  return {
    attached: one.attached + other.attached,
    defaultSnat: one.defaultSnat + other.defaultSnat,
    rules: one.rules + other.rules,
    enterprises,
    // An enterprise that both leave unnamed counts twice.
    totalEnterprises: enterprises.length + unnamed(one) + unnamed(other),
  }
}

/** Only the rows that a change has changed, to change them back. */
export function changedOf(selections: readonly BulkSelection[], ids: readonly number[]): BulkSelection[] {
  const changed = new Set(ids)
  return selections
    .map((selection) => ({
      at: selection.at,
      ids: 'ids' in selection ? selection.ids.filter((id) => changed.has(id)) : ids,
    }))
    .filter((selection) => selection.ids.length > 0)
}

/** The query of a list as the filter of a bulk change: without its page and order. */
export function filterText(query: Record<string, string | number | boolean | undefined>): string {
  const { startwith: _, limit: _limit, by: _by, asc: _asc, ...filters } = query
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') text.set(name, String(value))
  return text.toString()
}
