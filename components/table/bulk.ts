import { type ReactNode, useState } from 'react'

/** What can be done with each of the selected rows. */
export type BulkAction<Row> = {
  id: string
  label: string
  /** Why it cannot be done with these rows. */
  needs?: (rows: readonly Row[]) => string | undefined
  run: (row: Row) => Promise<unknown>
  /** Asked before; without it the action begins at once. */
  confirm?: { title: string; text: ReactNode }
}

/** How many rows are under way at the same time. */
export const rowsAtOnce = 4

export type Outcome =
  | { state: 'waiting' | 'running' | 'done' | 'stopped' }
  | { state: 'refused'; error: unknown }

/** Takes one row after the other until none is left or `isStopped`; tells what became of each. Throws nothing. */
export async function runAll<Row extends { id: number }>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
  tell: (id: number, outcome: Outcome) => void,
  isStopped: () => boolean,
): Promise<void> {
  const left = [...rows]
  const work = async () => {
    for (let row = left.shift(); row; row = left.shift()) {
      if (isStopped()) {
        tell(row.id, { state: 'stopped' })
        continue
      }
      tell(row.id, { state: 'running' })
      try {
        await run(row)
        tell(row.id, { state: 'done' })
      } catch (error) {
        // Whatever it was: it is told at its row, and the others go on.
        tell(row.id, { state: 'refused', error })
      }
    }
  }
  await Promise.all(Array.from({ length: rowsAtOnce }, work))
}

export type Selection<Row> = {
  type: 'single' | 'multi'
  /** It outlives pages, orders and filters: what was ticked stays ticked. */
  selected: readonly Row[]
  onChange: (rows: Row[]) => void
  /** What a row is called for who cannot see it. */
  nameOf: (row: Row) => string
}

/** Rows that are ticked, for `selection` of a table. */
export function useSelection<Row>(nameOf: (row: Row) => string): Selection<Row> {
  const [selected, onChange] = useState<Row[]>([])
  return { type: 'multi', selected, onChange, nameOf }
}
