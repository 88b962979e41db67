import { type ReactNode, useState } from 'react'
import type { BulkImpact } from '#lib/record/bulk/bulk.schema'
import type { BulkCall, BulkSelection } from '#lib/record/jobs/bulk.queries'

/** The rows in a sentence: one by its name, more by their number. */
export type BulkSubject = { subject: string; count: number }

/** An action on each of the selected rows, or on all matching rows. */
export type BulkAction<Row> = {
  id: string
  label: string
  /** Why the action is disabled for these rows. */
  needs?: (rows: readonly Row[]) => string | undefined
  call: BulkCall
  /** That many rows without names: "30 NAT IPs". */
  counted: (count: number) => string
  /** The message about a success. */
  done: (rows: BulkSubject) => string
  /** Called after the last row. */
  changed: () => void
  /** `inUse`: asks only if something uses the rows. */
  asks: 'never' | 'inUse' | 'always'
  /** The question before the action. It may hold a field; the action then waits until `isReady`. */
  confirm?: (rows: BulkSubject) => { title: string; text: ReactNode; isReady?: boolean }
  /** The opposite change, for exactly the rows that were changed. */
  undo?: BulkCall
}

export const isInUse = ({ attached, defaultSnat, rules }: BulkImpact): boolean =>
  attached + defaultSnat + rules > 0

export type Selection<Row> = {
  /** The selected rows, also those of other pages and filters. */
  selected: readonly Row[]
  onChange: (rows: Row[]) => void
  /** The name of a row for screen readers and in results. */
  nameOf: (row: Row) => string
  /** The datacenter of a row, where the list shows several. */
  datacenterOf?: ((row: Row) => number) | undefined
  /** The filter whose rows are all selected, whatever the page. */
  all?: string | undefined
  selectAll?: (filter: string) => void
}

export function useSelection<Row>(
  nameOf: (row: Row) => string,
  datacenterOf?: (row: Row) => number,
): Selection<Row> {
  const [{ selected, all }, set] = useState<{ selected: Row[]; all?: string }>({ selected: [] })
  return {
    selected,
    onChange: (rows) => set({ selected: rows }),
    nameOf,
    datacenterOf,
    all,
    selectAll: (filter) => set({ selected: [], all: filter }),
  }
}

/** The rows as the API selects them: one selection for each datacenter. */
export function selectionsOf<Row extends { id: number }>(
  { datacenterOf }: Pick<Selection<Row>, 'datacenterOf'>,
  rows: readonly Row[],
): BulkSelection[] {
  const groups = new Map<number | undefined, number[]>()
  for (const row of rows) {
    const at = datacenterOf?.(row)
    groups.set(at, [...(groups.get(at) ?? []), row.id])
  }
  return [...groups].map(([at, ids]) => ({ at, ids }))
}

/** The filter whose rows can all be selected, or why they cannot. */
export type BulkFilter = string | { refused: string }
