import type { ReactNode } from 'react'
import type { Span } from './row-places'

/** A column as data. `by` is the server's name of its order; without it the column is not sortable. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  by?: string
  /** In pixels, once the user has dragged an edge; until then each column is as wide as its content. */
  width?: number
  /** Longer texts end at this width, in pixels. */
  maxWidth?: number
  /** Shows all of a long text, on several lines. */
  isWhole?: boolean
  isNumber?: boolean
  isRowHeader?: boolean
  /** Holds a control of the row: its header is for screen readers, its width is fixed. */
  isTool?: boolean
  /** Where it stands on a phone, where a row has two lines; elsewhere it is left out there. */
  small?: 'first' | 'end' | 'below'
}

export type Selecting<Row> = {
  ids: ReadonlySet<number>
  onSelect: (ids: number[]) => void
  /** A range over rows that are not loaded. */
  onRange?: (range: Span, on: boolean) => void
  labels: { all: string; row: (row: Row) => string }
}

export type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** A row by its number in the whole list, from 0. Undefined until it is loaded. */
  rowAt: (index: number) => Row | undefined
  /** The rows that the box in the header selects. */
  page: readonly Row[]
  sort: { by: string | undefined; asc: boolean; onSort: (by: string, asc: boolean) => void }
  selection?: Selecting<Row> | undefined
  /** Without it, a press on a row follows the first link of the row. */
  onOpen?: ((row: Row) => void) | undefined
  open?: number | undefined
  widths: Readonly<Record<string, number>>
  onWidths: (widths: Record<string, number>) => void
  widthLabel: (column: string) => string
  /** The row to begin with, from 0. */
  first: number
  /** True if `first` is where the table itself has scrolled to. */
  isOwn?: ((first: number) => boolean) | undefined
  total: number
  /** The rows of one page. A list that has no more is in the document as a whole. */
  size: number
  /** Names the order and the filters of the list. */
  source: string
  /** The rows that are rendered from now on. */
  onSpan?: ((span: Span) => void) | undefined
  /** While the table scrolls: the first row in view. */
  onFirst?: ((first: number) => void) | undefined
  /** Renders in the frame of the scroll: `flushSync`. */
  inFrame?: ((render: () => void) => void) | undefined
  /** The name of the scale, and a position in words. */
  scale: { label: string; text: (row: number) => string }
  /** The rows of the order or filter before stay until the next ones come. */
  isStale: boolean
  /** What is being loaded, until the first rows come. */
  loading?: string | undefined
  empty: ReactNode
}
