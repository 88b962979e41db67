import LiveRegion from '@cloudscape-design/components/live-region'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Say } from '#lib/words/words'
import type { Selection } from './bulk'
import { type CellAt, CellsContext, PartsContext, parts, type TableParts } from './places'
import { useSame, useSameHandler } from './same'
import styles from './table.module.css'
import { asNumber, type ColumnWithHeader, columnDefinitions, type Position } from './table-columns'

/*
 * Cloudscape's table renders all of its cells again when any property changes, which is most of the work of a turned page. Here its
 * properties stay identical between pages of the same number of rows: its items are positions, and the content of each position comes by
 * context.
 */

type SteadyTableProps<Row> = {
  title: string
  rows: readonly Row[]
  columns: readonly ColumnWithHeader<Row>[]
  columnDisplay: readonly TableProps.ColumnDisplayProperties[]
  /** The number of the first row among all. */
  first: number
  total: number | undefined
  size: number
  sorting: { by: string | undefined; asc: boolean; setOrder: (by: string, asc: boolean) => void }
  selection: Selection<Row> | undefined
  /** True if all rows that match are selected. */
  isAllSelected: boolean
  shown: TableParts
  /** The rows of the previous page stay until the next page has loaded. */
  isStale: boolean
} & Pick<TableProps, 'variant' | 'wrapLines' | 'contentDensity' | 'loading'>

export function SteadyTable<Row extends { id: number }>(props: SteadyTableProps<Row>) {
  const { rows, columns, first, total, selection, shown, isStale } = props
  const say = useTranslations('layout.table')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('tbody')?.toggleAttribute('inert', isStale)
  }, [isStale])
  useRowNames(box, { rows, first, nameOf: selection?.nameOf })
  const look = [isStale && styles.stale, props.contentDensity === 'compact' && styles.compact]
  return (
    <div ref={box} aria-busy={isStale} className={look.filter(Boolean).join(' ')}>
      <PartsContext value={shown}>
        <CellsContext value={cellsOf(rows, columns)}>
          <Frame {...props} />
        </CellsContext>
      </PartsContext>
      {total !== undefined && (
        <LiveRegion hidden tagName="span">
          {total === 0 ? say('noRows') : say('rows', { first, last: first + rows.length - 1, total })}
        </LiveRegion>
      )}
    </div>
  )
}

const MemoTable = memo(Table) as typeof Table

const firstColumn = { first: 1 }

/** All properties of the table. None of them changes with the rows. */
function Frame<Row extends { id: number }>(props: SteadyTableProps<Row>) {
  const { title, columns, size, sorting, selection, shown, total, variant, wrapLines, contentDensity } = props
  const say = useTranslations('layout.table')
  const shape = useSame(columns.map(({ cell: _, ...column }) => column))
  const definitions = useMemo(() => columnDefinitions(say, shape), [say, shape])
  const skeleton = useSame({ totalRows: 'auto' as const, maxAutoRows: size, minAutoRows: 3 })
  const sorted = definitions.find(({ sortingField: by }) => by !== undefined && by === sorting.by)
  const isSelectable = selection !== undefined
  const ariaLabels = useMemo(
    () => ({ tableLabel: title, ...(isSelectable && selectionLabels(say, title)) }),
    [say, title, isSelectable],
  )
  return (
    <MemoTable
      {...useSelecting(props)}
      variant={variant}
      wrapLines={wrapLines}
      contentDensity={contentDensity}
      columnDefinitions={definitions}
      columnDisplay={useSame(props.columnDisplay)}
      stickyHeader
      stickyColumns={firstColumn}
      enableKeyboardNavigation
      loading={props.loading}
      loadingText={say('loading', { title })}
      skeleton={skeleton}
      {...(sorted && { sortingColumn: sorted })}
      sortingDescending={!sorting.asc}
      onSortingChange={useSameHandler(({ detail }) => {
        const by = detail.sortingColumn.sortingField
        if (by !== undefined) sorting.setOrder(by, !detail.isDescending)
      })}
      ariaLabels={ariaLabels}
      {...(total !== undefined && { totalItemsCount: total })}
      header={parts.header}
      filter={parts.filter}
      empty={parts.empty}
      {...(shown.footer
        ? { footer: parts.footer }
        : { pagination: parts.pagination, preferences: parts.preferences })}
    />
  )
}

function cellsOf<Row>(rows: readonly Row[], columns: readonly ColumnWithHeader<Row>[]): CellAt {
  const byId = new Map<string, ColumnWithHeader<Row>>(columns.map((column) => [column.id, column]))
  return (id, index) => {
    const row = rows[index]
    const column = byId.get(id)
    if (row === undefined || !column) return null
    return column.isNumber ? asNumber(column.cell(row)) : column.cell(row)
  }
}

/** `useRowNames` completes the labels of the rows. */
const selectionLabels = (say: Say<'layout.table'>, title: string) => ({
  selectionGroupLabel: say('selectRows', { title }),
  allItemsSelectionLabel: () => say('selectPage'),
})

/** Items and selection. After the user has selected a row, each next page has items of its own, so that no range begins on another page. */
function useSelecting<Row extends { id: number }>({ rows, selection, isAllSelected }: SteadyTableProps<Row>) {
  const [usedOn, setUsedOn] = useState<readonly Row[]>()
  const count = rows.length
  const page = usedOn !== undefined && usedOn !== rows ? rows : undefined
  const items = useMemo(() => itemsOf(page, count), [page, count])
  const selected = selection?.selected
  const selectedItems = useMemo(
    () => (isAllSelected ? items : selectedOf(items, rows, selected)),
    [isAllSelected, items, rows, selected],
  )
  const onSelectionChange = useSameHandler(
    ({ detail }: { detail: TableProps.SelectionChangeDetail<Position<Row>> }) => {
      setUsedOn(usedOn ?? rows)
      selection?.onChange(detail.selectedItems.flatMap(({ index, row = rows[index] }) => row ?? []))
    },
  )
  return { items, ...(selection && { selectionType: selection.type, selectedItems, onSelectionChange }) }
}

const itemsOf = <Row,>(page: readonly Row[] | undefined, count: number): Position<Row>[] =>
  page ? page.map((row, index) => ({ index, row })) : Array.from({ length: count }, (_, index) => ({ index }))

const none: never[] = []

function selectedOf<Row extends { id: number }>(
  items: readonly Position<Row>[],
  rows: readonly Row[],
  selected: readonly Row[] = none,
): readonly Position<Row>[] {
  if (selected.length === 0) return none
  const shown = new Map(rows.map(({ id }, index) => [id, items[index]]))
  return selected.map((row) => shown.get(row.id) ?? { index: -1, row })
}

type RowNames<Row> = { rows: readonly Row[]; first: number; nameOf: ((row: Row) => string) | undefined }

/** The attributes that name and number a row are set here, because the table does not render rows that only change. */
function useRowNames<Row>(box: RefObject<HTMLElement | null>, { rows, first, nameOf }: RowNames<Row>): void {
  const say = useTranslations('layout.table')
  useLayoutEffect(() => {
    const lines = box.current?.querySelectorAll('tbody > tr') ?? []
    for (const [index, row] of rows.entries()) {
      const line = lines[index]
      line?.setAttribute('aria-rowindex', String(first + index + 1))
      const name = nameOf && say('selectRow', { name: nameOf(row) })
      if (name) line?.querySelector('input')?.setAttribute('aria-label', name)
    }
  })
}
