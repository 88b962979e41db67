import { type ReactNode, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure, FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import type { Span } from '#components/kit/row-places'
import { Table } from '#components/kit/table'
import type { BulkFilter, Selection } from './bulk'
import { ComparedSummary, comparedColumns, useCompared } from './compare'
import { type RowDetails, RowPanel, useOpenRow } from './row-panel'
import styles from './table.module.css'
import { type ColumnWithHeader, shownColumns } from './table-columns'
import { useTablePreferences } from './table-preferences'
import { type EmptyState, NoMatch, NothingYet } from './table-states'
import type { ListResult } from './use-list'
import { useRestingRow } from './use-resting-row'
import { useRows } from './use-rows'
import type { TableState } from './use-table-state'

/** What the rows of a list take. */
export type ListProps<Row> = {
  title: string
  /** From `useTableState`. */
  table: TableState<string>
  /** The result of the query with `table.query`. */
  list: ListResult<Row>
  empty: EmptyState
  selection?: Selection<Row>
  /** The filter of the list as the API of the actions takes it, for “all matching rows”. */
  bulkFilter?: BulkFilter
  /** Opens rows beside the list, in the URL. */
  details?: (row: Row) => RowDetails
  /** Opens a row beside the list in another way. Without both a press on a row follows the link of the row. */
  onOpen?: (row: Row) => void
  /** The id of the row that is open beside the list, and its panel. */
  open?: number | undefined
  panel?: ReactNode
}

type RowsProps<Row> = ListProps<Row> & { columns: readonly ColumnWithHeader<Row>[] }

/** The rows of a list, which scroll on to the last one, and the panel of an open row. */
export function ServerRows<Row extends { id: number }>(props: RowsProps<Row>) {
  const { table, list, title, details, columns } = props
  const say = useTranslations('layout.table')
  const [preferences, setPreferences] = useTablePreferences(table.name)
  const { data } = list
  const page = data?.collection ?? noRows
  const total = data?.totalSize ?? 0
  const rows = useRows(list, table)
  const compared = useCompared(list, rows)
  const shown = comparedColumns(shownColumns(columns, preferences), compared)
  const resting = useRestingRow(table, list.source)
  const opened = useOpenRow(rows.loaded, table.prefix)
  return (
    <>
      {rows.failed && <Failure error={rows.failed} retry={() => void list.refetch()} />}
      <EndCorrection table={table} total={list.isPlaceholderData ? undefined : data?.totalSize} />
      <ComparedSummary list={list} table={table} compared={compared} />
      <div className={styles.beside}>
        <Table
          label={title}
          columns={shown}
          rowAt={rows.rowAt}
          page={page}
          sort={{ by: table.by, asc: table.asc, onSort: table.setOrder }}
          selection={useSelecting(props, rows)}
          onOpen={details ? opened.show : props.onOpen}
          open={details ? opened.row?.id : props.open}
          widths={preferences.widths ?? noWidths}
          onWidths={(widths) => setPreferences({ widths })}
          widthLabel={(column) => say('width', { column })}
          first={table.first}
          total={total}
          size={table.size}
          source={list.source}
          onSpan={rows.onSpan}
          inFrame={flushSync}
          onFirst={resting.onFirst}
          isOwn={resting.isOwn}
          scale={{ label: say('scale', { title }), text: (row) => say('position', { row, total }) }}
          isStale={rows.isStale}
          loading={list.isPending ? say('loading', { title }) : undefined}
          empty={<TableEmpty {...props} />}
        />
        {details && opened.row ? (
          <RowPanel
            key={opened.row.id}
            {...details(opened.row)}
            row={opened.row}
            columns={comparedColumns(columns, compared)}
            onClose={opened.close}
          />
        ) : (
          props.panel
        )}
      </div>
      <span className="unseen" role="status">
        {data && (total === 0 ? say('noRows') : say('rows', rangeOf(table, total)))}
      </span>
    </>
  )
}

const noRows: never[] = []
const noWidths = {}
const nothing: ReadonlySet<number> = new Set()

const rangeOf = ({ first, size }: TableState<string>, total: number) => ({
  first: first + 1,
  last: Math.min(first + size, total),
  total,
})

/** Rows of a range that is read for its selection. */
const MOST_RANGE = 2000

/** The selection by ids. Rows that are scrolled away stay selected. */
function useSelecting<Row extends { id: number }>(
  { selection, bulkFilter }: ListProps<Row>,
  { loaded, between }: Pick<ReturnType<typeof useRows<Row>>, 'loaded' | 'between'>,
) {
  const say = useTranslations('layout.table')
  const notify = useFlash()
  const isAll = selection?.all !== undefined && selection.all === bulkFilter
  const selected = (isAll ? loaded : selection?.selected) ?? noRows
  const choose = useEffectEvent((rows: readonly Row[], on: boolean) => {
    const ids = new Set(rows.map(({ id }) => id))
    const others = selected.filter(({ id }) => !ids.has(id))
    selection?.onChange(on ? [...others, ...rows] : others)
  })
  if (!selection) return undefined
  const known = new Map([...selection.selected, ...loaded].map((row) => [row.id, row]))
  const onRange = (range: Span, on: boolean) => {
    if (range.end - range.start > MOST_RANGE)
      notify({ type: 'warning', content: say('longRange', { most: MOST_RANGE }) })
    else
      between(range).then(
        (rows) => choose(rows, on),
        (error: Error) => notify({ type: 'error', content: <FailureText error={error} /> }),
      )
  }
  return {
    ids: selected.length === 0 ? nothing : new Set(selected.map(({ id }) => id)),
    onSelect: (ids: number[]) => selection.onChange(ids.flatMap((id) => known.get(id) ?? [])),
    onRange,
    labels: {
      all: say('selectPage'),
      row: (row: Row) => say('selectRow', { name: selection.nameOf(row) }),
    },
  }
}

function TableEmpty<Row>({ list, table, empty }: ListProps<Row>) {
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return table.isFiltered ? <NoMatch onClear={table.clearFilters} /> : <NothingYet {...empty} />
}

/** Leads from a row beyond the end (an old link, deleted rows) to the last one. */
function EndCorrection({ table, total }: { table: TableState<string>; total: number | undefined }) {
  if (total === undefined || table.first === 0 || table.first < total) return null
  return <Navigate replace to={{ search: table.searchOfRow(Math.max(0, total - 1)) }} />
}
