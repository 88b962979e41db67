import type { TableProps } from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import type { Say } from '#lib/words/words'
import type { TablePreferences } from './table-preferences'

export type LabelId = Exclude<Parameters<Say<'labels'>>[0], 'factsAbout' | 'userCount'>

/** Without a header, the label with the id of the column is its header. */
type ColumnName = { id: string; header: string } | { id: LabelId; header?: undefined }

/** A column as data. `by` is the server's name of its order; without it the column is not sortable. */
export type TableColumn<Row> = ColumnName & {
  cell: (row: Row) => ReactNode
  by?: string
  width?: number
  minWidth?: number
  isRowHeader?: boolean
  /** Hidden until the user chooses the column. */
  hidden?: boolean
}

type SortState = { sorted: boolean; descending: boolean }

const sortLabel =
  (say: Say<'layout.table'>, column: string) =>
  ({ sorted, descending }: SortState): string =>
    say(sorted ? (descending ? 'sortedDown' : 'sortedUp') : 'notSorted', { column })

/** Caches the cells: the table renders twice to measure itself. */
function drawnOnce<Row>(cell: (row: Row) => ReactNode): (row: Row) => ReactNode {
  const drawn = new Map<Row, ReactNode>()
  return (row) => {
    if (!drawn.has(row)) drawn.set(row, cell(row))
    return drawn.get(row)
  }
}

export const idColumn = {
  id: 'id',
  by: 'id',
  width: 100,
  minWidth: 80,
  hidden: true,
  cell: ({ id }: { id: number }) => id,
} as const

export type ColumnWithHeader<Row> = TableColumn<Row> & { header: string }

export const withHeaders = <Row>(
  say: Say<'labels'>,
  columns: readonly TableColumn<Row>[],
): ColumnWithHeader<Row>[] =>
  columns.map((column) => ({ ...column, header: column.header ?? say(column.id) }))

/** The columns for the table component, with the widths of the user. */
export function columnDefinitions<Row>(
  say: Say<'layout.table'>,
  columns: readonly ColumnWithHeader<Row>[],
  { widths = {} }: TablePreferences,
): TableProps.ColumnDefinition<Row>[] {
  return columns.map(({ id, header, cell, by, width, minWidth = 120, isRowHeader = false }) => ({
    id,
    header,
    cell: drawnOnce(cell),
    minWidth,
    isRowHeader,
    ...((widths[id] ?? width) !== undefined && { width: Math.max(widths[id] ?? width ?? 0, minWidth) }),
    ...(by !== undefined && { sortingField: by, ariaLabel: sortLabel(say, header) }),
  }))
}

/** Visibility and order of the columns: those of the user, then columns that are new since. */
export function columnDisplay<Row>(
  columns: readonly TableColumn<Row>[],
  { columns: stored = [] }: TablePreferences,
): { id: string; visible: boolean }[] {
  const known = stored.filter(({ id }) => columns.some((column) => column.id === id))
  const added = columns.filter(({ id }) => !known.some((column) => column.id === id))
  return [...known, ...added.map(({ id, hidden = false }) => ({ id, visible: !hidden }))]
}

/** The widths that the user has set, by column. */
export function columnWidths<Row>(
  columns: readonly TableColumn<Row>[],
  widths: readonly number[],
): Record<string, number> {
  return Object.fromEntries(columns.flatMap(({ id }, index) => (widths[index] ? [[id, widths[index]]] : [])))
}
