import { type CSSProperties, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { Navigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { Deferred } from '#components/frame/layout/deferred'
import { PageTitle, TablePlaceContext } from '#components/frame/layout/page'
import { ScreenTools } from '#components/frame/layout/screen-tools'
import { useImport } from '#components/import/use-import'
import { Band } from '#components/kit/frame'
import { Pager } from '#components/kit/pager'
import { screenIcons } from '#components/kit/screen-icons'
import { Table } from '#components/kit/table'
import { Tool } from '#components/kit/tool'
import type { EntityType } from '#lib/record/events/events.schema'
import type { ExportEntity } from '#lib/state/plans/plans.schema'
import type { BulkAction, BulkFilter, Selection } from './bulk'
import { BulkActions } from './bulk-actions'
import { CsvLink } from './csv-link'
import { News } from './news'
import { type RowDetails, RowPanel, useOpenRow } from './row-panel'
import styles from './table.module.css'
import { type ColumnWithHeader, shownColumns, type TableColumn, withHeaders } from './table-columns'
import { rowHeights, useTablePreferences } from './table-preferences'
import { TablePreferencesButton } from './table-preferences-button'
import { type EmptyState, NoMatch, NothingYet } from './table-states'
import type { Token } from './table-tokens'
import { lastPage } from './table-url'
import { useIsNarrow } from './table-width'
import { TokenFilter } from './token-filter'
import type { ListResult } from './use-list'
import type { TableState } from './use-table-state'
import { SaveViewButton, ViewTabs } from './view-tabs'

type ServerTableProps<Row> = {
  title: string
  description?: ReactNode
  columns: readonly TableColumn<Row>[]
  /** The kind of the rows in events: then the table shows a notice of changes by other users. */
  entity?: EntityType
  /** From `useTableState`. */
  table: TableState<string>
  /** The result of the query with `table.query`. */
  list: ListResult<Row>
  empty: EmptyState
  /** The label of the text filter; if absent, there is no text filter. */
  filterLabel?: string
  /** Filters as words, in one field with the text filter. */
  tokens?: readonly Token[]
  /** Further filter controls. */
  filters?: ReactNode
  /** They are shown on phones too. */
  filtersStay?: boolean
  /** Frequent filters with their counts, each one click away. */
  chips?: ReactNode
  /** In a line of its own between the controls and the rows. */
  note?: ReactNode
  actions?: ReactNode
  /** The path of the full export, from `csvHref`. */
  csv?: string
  /** The kind of the rows in an import, for a list that is not limited to one resource. */
  imports?: ExportEntity
  selection?: Selection<Row>
  /** The actions for the selected rows. */
  bulk?: readonly BulkAction<Row>[]
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

/** The table of a paged collection. The server pages, sorts and filters; the URL holds the state. */
export function ServerTable<Row extends { id: number }>(props: ServerTableProps<Row>) {
  return (
    <Deferred
      before={
        <div className={`kit ${styles.list}`}>
          <Band label={props.title}>
            <Title {...props} />
          </Band>
        </div>
      }
    >
      <Rows {...props} />
    </Deferred>
  )
}

function Rows<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { table, list, title, details } = props
  const say = useTranslations('layout.table')
  const columns = withHeaders(useTranslations('labels'), props.columns)
  const [preferences, setPreferences] = useTablePreferences(table.name)
  const { data, isPlaceholderData: isStale } = list
  const rows = data?.collection ?? noRows
  const first = (table.page - 1) * table.size
  const opened = useOpenRow(rows, table.prefix)
  const height = preferences.density && rowHeights[preferences.density]
  return (
    <div
      className={`kit ${styles.list} ${preferences.wrap ? styles.wrap : ''}`}
      style={height ? ({ '--row': height } as CSSProperties) : undefined}
    >
      {data && list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      <PageCorrection table={table} total={isStale ? undefined : data?.totalSize} />
      <TableBand {...props} columns={columns} />
      <Note {...props} />
      <div className={styles.beside}>
        <Table
          label={title}
          columns={shownColumns(columns, preferences)}
          rows={rows}
          sort={{ by: table.by, asc: table.asc, onSort: table.setOrder }}
          selection={useSelecting(props)}
          onOpen={details ? opened.show : props.onOpen}
          open={details ? opened.row?.id : props.open}
          widths={preferences.widths ?? noWidths}
          onWidths={(widths) => setPreferences({ widths })}
          widthLabel={(column) => say('width', { column })}
          first={first}
          total={data?.totalSize ?? 0}
          isStale={isStale}
          loading={list.isPending ? say('loading', { title }) : undefined}
          empty={<TableEmpty {...props} />}
        />
        {details && opened.row ? (
          <RowPanel
            key={opened.row.id}
            {...details(opened.row)}
            row={opened.row}
            columns={columns}
            onClose={opened.close}
          />
        ) : (
          props.panel
        )}
      </div>
      <span className="unseen" role="status">
        {data &&
          (data.totalSize === 0
            ? say('noRows')
            : say('rows', { first: first + 1, last: first + rows.length, total: data.totalSize }))}
      </span>
    </div>
  )
}

function Note<Row>({ note, description }: ServerTableProps<Row>) {
  const isTab = useContext(TablePlaceContext).at === 'tab'
  return (
    <>
      {isTab && description && <div className={styles.note}>{description}</div>}
      {note && <div className={styles.note}>{note}</div>}
    </>
  )
}

const noRows: never[] = []
const noWidths = {}
const nothing: ReadonlySet<number> = new Set()

/** The selection by ids. Rows of other pages stay selected. */
function useSelecting<Row extends { id: number }>({ list, selection, bulkFilter }: ServerTableProps<Row>) {
  const say = useTranslations('layout.table')
  if (!selection) return undefined
  const rows: readonly Row[] = list.data?.collection ?? noRows
  const isAll = selection.all !== undefined && selection.all === bulkFilter
  const known = new Map([...selection.selected, ...rows].map((row) => [row.id, row]))
  const selected = isAll ? rows : selection.selected
  return {
    ids: selected.length === 0 ? nothing : new Set(selected.map(({ id }) => id)),
    onSelect: (ids: number[]) => selection.onChange(ids.flatMap((id) => known.get(id) ?? [])),
    labels: {
      all: say('selectPage'),
      row: (row: Row) => say('selectRow', { name: selection.nameOf(row) }),
    },
  }
}

function TableEmpty<Row>({ list, table, empty }: ServerTableProps<Row>) {
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return table.isFiltered ? <NoMatch onClear={table.clearFilters} /> : <NothingYet {...empty} />
}

/** The list has no rows, whatever the filter: there is nothing to page through or to arrange. */
const isEmpty = <Row,>({ list, table }: ServerTableProps<Row>): boolean =>
  list.data?.totalSize === 0 && !table.isFiltered

/** Redirects from a page beyond the end (an old link, deleted rows) to the last page. */
function PageCorrection({ table, total }: { table: TableState<string>; total: number | undefined }) {
  if (total === undefined || table.page <= lastPage(total, table.size)) return null
  return <Navigate replace to={{ search: table.searchOfPage(lastPage(total, table.size)) }} />
}

type BandProps<Row> = ServerTableProps<Row> & { columns: readonly ColumnWithHeader<Row>[] }

/** All controls of the table. The selection takes the place of the filters and actions, so that nothing moves. */
function TableBand<Row extends { id: number }>(props: BandProps<Row>) {
  const {
    title,
    table,
    selection,
    bulk,
    bulkFilter,
    list,
    chips,
    filters,
    filtersStay = false,
    entity,
  } = props
  const say = useTranslations('layout.table')
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const total = list.isPlaceholderData ? undefined : list.data?.totalSize
  const isSelected =
    bulk !== undefined &&
    selection !== undefined &&
    (selection.selected.length > 0 || selection.all !== undefined)
  return (
    <Band label={title}>
      <Title {...props} isUnseen={isSelected} />
      {bulk && selection && (
        <BulkActions
          actions={bulk}
          selection={selection}
          shown={list.data?.collection ?? noRows}
          matching={
            bulkFilter === undefined || total === undefined ? undefined : { filter: bulkFilter, total }
          }
        />
      )}
      {!isSelected && (
        <>
          {canBeNarrowed(props) && <ViewTabs title={title} table={table} />}
          <Search {...props} />
          {isNarrow && (
            <Tool
              look="quiet"
              icon={screenIcons.more}
              label={say('tools')}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            />
          )}
          {chips}
          {filtersStay && filters}
          <News entity={entity} list={list} />
          {/* Hidden, and not gone: a dialog of theirs stays open when the window becomes narrow. */}
          <div className={styles.fold} hidden={isNarrow && !isOpen}>
            {!filtersStay && filters}
            <TableTools {...props} />
          </div>
        </>
      )}
      {!isEmpty(props) && <Pages {...props} />}
    </Band>
  )
}

/** The title stands once: as the heading of the screen, as the name of the tab, or here. */
function Title<Row>({
  title,
  description,
  list,
  chips,
  isUnseen,
}: ServerTableProps<Row> & { isUnseen?: boolean }) {
  const format = useFormatter()
  const say = useTranslations('layout.table')
  const place = useContext(TablePlaceContext)
  const total = list.data?.totalSize
  const counter = total === undefined ? undefined : `(${format.number(total)})`
  if (place.at === 'tab')
    return (
      <span className={isUnseen ? 'unseen' : styles.count}>
        {total !== undefined && say('total', { count: total })}
      </span>
    )
  const about = place.at === 'page' ? place.heading.description : description
  return (
    <>
      <div className={isUnseen ? 'unseen' : styles.title}>
        {place.at === 'page' ? (
          <PageTitle {...place.heading} counter={counter || place.heading.counter} />
        ) : (
          <h2>
            {title} <small className={styles.count}>{counter}</small>
          </h2>
        )}
      </div>
      {about && !chips && !isUnseen && <div className={styles.about}>{about}</div>}
    </>
  )
}

function Search<Row>({ filterLabel, tokens = [], table }: ServerTableProps<Row>) {
  if (!filterLabel && tokens.length === 0) return null
  return <TokenFilter tokens={tokens} table={table} label={filterLabel} />
}

const canBeNarrowed = <Row,>({ filterLabel, tokens, filters }: ServerTableProps<Row>): boolean =>
  filterLabel !== undefined || tokens !== undefined || filters !== undefined

function TableTools<Row extends { id: number }>(props: BandProps<Row>) {
  const { table, list, csv, imports, actions, columns } = props
  const place = useContext(TablePlaceContext)
  const { open: onImport, dialog } = useImport(imports)
  const [preferences, setPreferences] = useTablePreferences(table.name)
  return (
    <div className={styles.tools}>
      {place.at === 'page' && <ScreenTools title={place.heading.title} isBare />}
      {canBeNarrowed(props) && <SaveViewButton table={table} />}
      {csv && <CsvLink href={csv} total={list.data?.totalSize} onImport={onImport} />}
      {!isEmpty(props) && (
        <TablePreferencesButton
          columns={columns}
          preferences={preferences}
          size={table.size}
          onConfirm={(changes) => {
            setPreferences(changes)
            if (changes.size && changes.size !== table.size) table.setSize(changes.size)
          }}
        />
      )}
      {actions}
      {dialog}
    </div>
  )
}

/** A user at the pager is likely to open the next page. From then on the page after the open one is asked for ahead. */
function Pages<Row>({ title, table, list }: ServerTableProps<Row>) {
  const say = useTranslations('layout.table')
  const format = useFormatter()
  const { data, lookAhead } = list
  const [isTurning, setTurning] = useState(false)
  const look = useEffectEvent(() => lookAhead?.())
  useEffect(() => {
    if (isTurning && data) look()
  }, [isTurning, data])
  const { page, size } = table
  const before = (page - 1) * size
  const position =
    data &&
    data.collection.length > 0 &&
    `${format.number(before + 1)}–${format.number(before + data.collection.length)}`
  return (
    <Pager
      label={say('pages', { title })}
      position={position || ''}
      before={{ label: say('previousPage'), go: page > 1 ? () => table.setPage(page - 1) : undefined }}
      after={{
        label: say('nextPage'),
        go: data && page < lastPage(data.totalSize, size) ? () => table.setPage(page + 1) : undefined,
      }}
      onNear={() => setTurning(true)}
    />
  )
}
