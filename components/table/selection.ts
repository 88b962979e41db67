import { useState } from 'react'

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
