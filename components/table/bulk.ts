import { type ReactNode, useState } from 'react'

/** An action for each of the selected rows. */
export type BulkAction<Row> = {
  id: string
  label: string
  /** Why the action is disabled for these rows. */
  needs?: (rows: readonly Row[]) => string | undefined
  run: (row: Row) => Promise<unknown>
  /** The question before the action; if absent, the action starts at once. */
  confirm?: { title: string; text: ReactNode }
}

/** The number of rows that are processed at the same time. */
const rowsAtOnce = 4

export type Outcome =
  | { state: 'waiting' | 'running' | 'done' | 'stopped' }
  | { state: 'refused'; error: unknown }

/** Processes all rows, or as many as there are until `isStopped`, and reports the outcome of each. Never throws. */
export async function runAll<Row extends { id: number }>({
  rows,
  run,
  report,
  isStopped,
}: {
  rows: readonly Row[]
  run: (row: Row) => Promise<unknown>
  report: (id: number, outcome: Outcome) => void
  isStopped: () => boolean
}): Promise<void> {
  const left = [...rows]
  const work = async () => {
    for (let row = left.shift(); row; row = left.shift()) {
      if (isStopped()) {
        report(row.id, { state: 'stopped' })
        continue
      }
      report(row.id, { state: 'running' })
      try {
        await run(row)
        report(row.id, { state: 'done' })
      } catch (error) {
        // The row shows the error, and the other rows go on.
        report(row.id, { state: 'refused', error })
      }
    }
  }
  await Promise.all(Array.from({ length: rowsAtOnce }, work))
}

export type Selection<Row> = {
  type: 'single' | 'multi'
  /** The selected rows, also those of other pages and filters. */
  selected: readonly Row[]
  onChange: (rows: Row[]) => void
  /** The name of a row for screen readers and in results. */
  nameOf: (row: Row) => string
}

export function useSelection<Row>(nameOf: (row: Row) => string): Selection<Row> {
  const [selected, onChange] = useState<Row[]>([])
  return { type: 'multi', selected, onChange, nameOf }
}
