import type { TableProps } from '@cloudscape-design/components/table'
import { createElement, type ReactNode } from 'react'
import type { LabelId, Say } from '#lib/words/words'
import { Cell } from './places'
import styles from './table.module.css'
import type { TablePreferences } from './table-preferences'

/** Without a header, the label with the id of the column is its header. */
type ColumnName = { id: string; header: string } | { id: LabelId; header?: undefined }

/** A column as data. `by` is the server's name of its order; without it the column is not sortable. */
export type TableColumn<Row> = ColumnName & {
  cell: (row: Row) => ReactNode
  by?: string
  /** Texts of any length end at this width, so that the other columns stay in sight. */
  maxWidth?: number
  /** Right-aligned, in digits of equal width. */
  isNumber?: boolean
  isRowHeader?: boolean
  /** Hidden until the user chooses the column. */
  hidden?: boolean
}

export const asNumber = (content: ReactNode): ReactNode =>
  createElement('div', { className: styles.number }, content)

type SortState = { sorted: boolean; descending: boolean }

const sortLabel =
  (say: Say<'layout.table'>, column: string) =>
  ({ sorted, descending }: SortState): string =>
    say(sorted ? (descending ? 'sortedDown' : 'sortedUp') : 'notSorted', { column })

export const idColumn = {
  id: 'id',
  by: 'id',
  isNumber: true,
  hidden: true,
  cell: ({ id }: { id: number }) => id,
} as const

/** An item of the table: a position on the page. `row` is set where the row itself matters, and the index is -1 on another page. */
export type Position<Row> = { index: number; row?: Row }

export type ColumnWithHeader<Row> = TableColumn<Row> & { header: string }

export const withHeaders = <Row>(
  say: Say<'labels'>,
  columns: readonly TableColumn<Row>[],
): ColumnWithHeader<Row>[] =>
  columns.map((column) => ({ ...column, header: column.header ?? say(column.id) }))

/** The columns for the table component. Without widths: the browser makes each as wide as its content, in any language. */
export function columnDefinitions<Row>(
  say: Say<'layout.table'>,
  columns: readonly Omit<ColumnWithHeader<Row>, 'cell'>[],
): TableProps.ColumnDefinition<Position<Row>>[] {
  return columns.map(({ id, header, by, maxWidth, isNumber = false, isRowHeader = false }) => ({
    id,
    header: isNumber ? asNumber(header) : header,
    cell: ({ index }) => createElement(Cell, { column: id, index }),
    isRowHeader,
    ...(maxWidth !== undefined && { maxWidth }),
    ...(by !== undefined && { sortingField: by, ariaLabel: sortLabel(say, header) }),
  }))
}

/** Visibility and order of the columns: the user's choice, then newer columns. */
export function columnDisplay<Row>(
  columns: readonly TableColumn<Row>[],
  { columns: stored = [] }: TablePreferences,
): { id: string; visible: boolean }[] {
  const known = stored.filter(({ id }) => columns.some((column) => column.id === id))
  const added = columns.filter(({ id }) => !known.some((column) => column.id === id))
  return [...known, ...added.map(({ id, hidden = false }) => ({ id, visible: !hidden }))]
}
