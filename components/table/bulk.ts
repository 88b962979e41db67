import { type ReactNode, useState } from 'react'
import type { BulkCall, BulkSelection } from '#lib/bulk/bulk.queries'
import type { BulkImpact } from '#lib/bulk/bulk.schema'

/** An action for each of the selected rows, or for all that match. */
export type BulkAction<Row> = {
  id: string
  label: string
  /** Why the action is disabled for these rows. */
  needs?: (rows: readonly Row[]) => string | undefined
  call: BulkCall
  /** Called after the last row. */
  changed: () => void
  /** `inUse`: asks only if something uses the rows. */
  asks: 'never' | 'inUse' | 'always'
  /** The question before the action. It may hold a field; the action then waits until `isReady`. */
  confirm?: { title: string; text: ReactNode; isReady?: boolean }
  /** The opposite change, for exactly the rows that were changed. */
  undo?: BulkCall
}

export const isInUse = ({ attached, defaultSnat, rules }: BulkImpact): boolean =>
  attached + defaultSnat + rules > 0

export type Selection<Row> = {
  type: 'single' | 'multi'
  /** The selected rows, also those of other pages and filters. */
  selected: readonly Row[]
  onChange: (rows: Row[]) => void
  /** The name of a row for screen readers and in results. */
  nameOf: (row: Row) => string
  /** The filter whose rows are all selected, whatever the page. */
  all?: string | undefined
  selectAll?: (filter: string) => void
}

export function useSelection<Row>(nameOf: (row: Row) => string): Selection<Row> {
  const [{ selected, all }, set] = useState<{ selected: Row[]; all?: string }>({ selected: [] })
  return {
    type: 'multi',
    selected,
    onChange: (rows) => set({ selected: rows }),
    nameOf,
    all,
    selectAll: (filter) => set({ selected: [], all: filter }),
  }
}

/** The rows as the API selects them. */
export const selectionOf = <Row extends { id: number }>(
  { all }: Pick<Selection<Row>, 'all'>,
  rows: readonly Row[],
): BulkSelection => (all === undefined ? { ids: rows.map(({ id }) => id) } : { filter: all })
