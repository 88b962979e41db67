import type { ReactNode } from 'react'
import type { Column } from '#components/kit/table-columns'
import type { LabelId, Say } from '#lib/words/words'
import type { TablePreferences } from './table-preferences'

/** Without a header, the label with the id of the column is its header. */
type ColumnName = { id: string; header: string } | { id: LabelId; header?: undefined }

/** A column as data. */
export type TableColumn<Row> = ColumnName &
  Omit<Column<Row>, 'id' | 'header'> & {
    /** Hidden until the user chooses the column. */
    hidden?: boolean
    /** What gateways report, which has no past: in the past there is no such column. */
    isNow?: boolean
  }

export const idColumn = {
  id: 'id',
  by: 'id',
  isNumber: true,
  hidden: true,
  cell: ({ id }: { id: number }): ReactNode => id,
} as const

export type ColumnWithHeader<Row> = TableColumn<Row> & { header: string }

export const withHeaders = <Row>(
  say: Say<'labels'>,
  columns: readonly TableColumn<Row>[],
): ColumnWithHeader<Row>[] =>
  columns.map((column) => ({ ...column, header: column.header ?? say(column.id) }))

/** Visibility and order of the columns: the user's choice, then newer columns. */
export function columnDisplay<Row>(
  columns: readonly TableColumn<Row>[],
  { columns: stored = [] }: TablePreferences,
): { id: string; visible: boolean }[] {
  const known = stored.filter(({ id }) => columns.some((column) => column.id === id))
  const added = columns.filter(({ id }) => !known.some((column) => column.id === id))
  return [...known, ...added.map(({ id, hidden = false }) => ({ id, visible: !hidden }))]
}

/** The columns that are shown, in their order. */
export const shownColumns = <Row>(
  columns: readonly ColumnWithHeader<Row>[],
  preferences: TablePreferences,
): ColumnWithHeader<Row>[] =>
  withPlaces(
    columnDisplay(columns, preferences).flatMap(
      ({ id, visible }) => (visible && columns.find((column) => column.id === id)) || [],
    ),
  )

/** On a phone a row shows its name and state, and two more columns below them, unless the list says which. */
function withPlaces<Row>(columns: ColumnWithHeader<Row>[]): ColumnWithHeader<Row>[] {
  if (columns.some(({ small }) => small)) return columns
  const others = columns.filter(({ id, isRowHeader, isTool }) => !isRowHeader && !isTool && id !== 'state')
  const placeOf = (column: ColumnWithHeader<Row>) => {
    if (column.isRowHeader) return 'first'
    if (column.id === 'state') return 'end'
    return [0, 1].includes(others.indexOf(column)) ? 'below' : undefined
  }
  return columns.map((column) => {
    const small = placeOf(column)
    return small ? { ...column, small } : column
  })
}
