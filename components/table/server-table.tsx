import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Pagination from '@cloudscape-design/components/pagination'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Navigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useAppearance } from '#components/base/session/use-appearance'
import { Deferred } from '#components/frame/layout/deferred'
import { PageHeading, TablePlaceContext } from '#components/frame/layout/page'
import { useImport } from '#components/import/use-import'
import type { EntityType } from '#lib/record/events/events.schema'
import type { ExportEntity } from '#lib/state/plans/plans.schema'
import type { BulkAction, BulkFilter, Selection } from './bulk'
import { BulkActions } from './bulk-actions'
import { CsvLink } from './csv-link'
import { News } from './news'
import { SteadyTable } from './steady-table'
import styles from './table.module.css'
import { columnDisplay, type TableColumn, withHeaders } from './table-columns'
import { TableFilter } from './table-filter'
import { useTablePreferences } from './table-preferences'
import { TablePreferencesButton } from './table-preferences-button'
import { type EmptyState, NoMatch, NothingYet, Progress } from './table-states'
import type { Token } from './table-tokens'
import { lastPage } from './table-url'
import { useIsNarrow } from './table-width'
import { TokenFilter } from './token-filter'
import type { ListResult } from './use-list'
import type { TableState } from './use-table-state'
import { ViewsMenu } from './views-menu'

type ServerTableProps<Row> = {
  /** Set by the table itself. */
  onImport?: (() => void) | undefined
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
  /** Filters as tokens, in one field with the text filter. */
  tokens?: readonly Token[]
  /** Further filter controls. */
  filters?: ReactNode
  /** Frequent filters with their counts, each one click away. */
  chips?: ReactNode
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
}

/** The table of a paged collection. The server pages, sorts and filters; the URL holds the state. */
export function ServerTable<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const place = useContext(TablePlaceContext)
  const heading = place.at === 'page' && <PageHeading {...place.heading} />
  return (
    <Deferred before={<div style={{ minBlockSize: '60vh' }}>{heading}</div>}>
      <Rows {...props} />
    </Deferred>
  )
}

function Rows<Row extends { id: number }>(given: ServerTableProps<Row>) {
  const { open: onImport, dialog: importDialog } = useImport(given.imports)
  const props = { ...given, onImport }
  const { table, list, selection, title } = props
  const columns = withHeaders(useTranslations('labels'), props.columns)
  const [preferences, setPreferences] = useTablePreferences(table.name)
  const { density } = useAppearance()
  const isNarrow = useIsNarrow()
  const place = useContext(TablePlaceContext)
  const { data, isPlaceholderData: isStale } = list
  const isCompact = density === 'compact' || preferences.density === 'compact'
  const pages = <TablePages {...props} />
  const dialog = (
    <TablePreferencesButton
      columns={columns}
      preferences={preferences}
      size={table.size}
      onConfirm={(changes) => {
        setPreferences(changes)
        if (changes.size && changes.size !== table.size) table.setSize(changes.size)
      }}
    />
  )
  return (
    <>
      {importDialog}
      {data && list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      <PageCorrection table={table} total={isStale ? undefined : data?.totalSize} />
      <SteadyTable
        title={title}
        variant={variants[place.at]}
        rows={data?.collection ?? noRows}
        columns={columns}
        columnDisplay={columnDisplay(columns, preferences)}
        first={(table.page - 1) * table.size + 1}
        total={data?.totalSize}
        size={table.size}
        isStale={isStale}
        loading={list.isPending}
        sorting={table}
        wrapLines={preferences.wrap ?? false}
        contentDensity={isCompact ? 'compact' : 'comfortable'}
        selection={selection}
        isAllSelected={selection?.all !== undefined && selection.all === props.bulkFilter}
        shown={{
          header: <TableHeader {...props} />,
          filter: <TableSearch {...props} more={isNarrow ? dialog : undefined} />,
          empty: <TableEmpty {...props} />,
          ...(isNarrow ? { footer: pages } : { pagination: pages, preferences: dialog }),
        }}
      />
    </>
  )
}

const noRows: never[] = []

const variants = { page: 'full-page', tab: 'borderless', card: 'container' } as const

function TableEmpty<Row>({ list, table, empty }: ServerTableProps<Row>) {
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return table.isFiltered ? <NoMatch onClear={table.clearFilters} /> : <NothingYet {...empty} />
}

/** Redirects from a page beyond the end (an old link, deleted rows) to the last page. */
function PageCorrection({ table, total }: { table: TableState<string>; total: number | undefined }) {
  if (total === undefined || table.page <= lastPage(total, table.size)) return null
  return <Navigate replace to={{ search: table.searchOfPage(lastPage(total, table.size)) }} />
}

type SearchProps<Row> = ServerTableProps<Row> & {
  /** On a narrow screen: the preferences, which then stand with the actions behind one button. */
  more: ReactNode
}

function TableSearch<Row extends { id: number }>(props: SearchProps<Row>) {
  const { filters, description, more, selection } = props
  const place = useContext(TablePlaceContext)
  const say = useTranslations('layout.table')
  const [isOpen, setOpen] = useState(false)
  const isNarrow = more !== undefined
  const isSelected = (selection?.selected.length ?? 0) > 0 || selection?.all !== undefined
  return (
    <div className={styles.tools}>
      <Search {...props} />
      {isNarrow && (
        <Button
          iconName="ellipsis"
          ariaLabel={say('tools')}
          ariaExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      {isNarrow && isOpen && (
        <div className={styles.panel}>
          <TableActions {...props} />
          {more}
        </div>
      )}
      {isNarrow && isSelected && <BulkTools {...props} />}
      {(!isNarrow || isOpen) && filters}
      {place.at === 'tab' && description && <div className={styles.line}>{description}</div>}
    </div>
  )
}

function Search<Row>({ filterLabel, tokens, table, list }: ServerTableProps<Row>) {
  if (!filterLabel && !tokens) return null
  // Placeholder rows belong to the previous search, and so does their total.
  const total = list.isPlaceholderData ? undefined : list.data?.totalSize
  const state = { total, isLoading: list.isFetching }
  return (
    <div className={styles.search}>
      {tokens ? (
        <TokenFilter tokens={tokens} table={table} label={filterLabel} {...state} />
      ) : (
        filterLabel && <TableFilter label={filterLabel} has={table.has} onSearch={table.setHas} {...state} />
      )}
    </div>
  )
}

/** The title stands once: as the heading of the screen, as the name of the tab, or here. */
function TableHeader<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { title, description, list, chips } = props
  const format = useFormatter()
  const place = useContext(TablePlaceContext)
  const isNarrow = useIsNarrow()
  const total = list.data?.totalSize
  const actions = !isNarrow && <TableActions {...props} />
  const shown = {
    actions,
    info: (
      <>
        <Progress isActive={list.isPlaceholderData} /> <News entity={props.entity} list={list} />
      </>
    ),
    ...(total !== undefined && { counter: `(${format.number(total)})` }),
  }
  if (place.at === 'page')
    return <PageHeading {...place.heading} {...(chips && { description: chips })} {...shown} />
  if (place.at === 'tab')
    return (
      <>
        {place.actions && createPortal(<TabTools {...props} />, place.actions)}
        {chips}
      </>
    )
  return (
    <Header description={description} {...shown}>
      {title}
    </Header>
  )
}

/** Beside the tabs: how many rows there are, and the actions. */
function TabTools<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { data, isPlaceholderData } = props.list
  const say = useTranslations('layout.table')
  const isNarrow = useIsNarrow()
  return (
    <div className={styles.tabTools}>
      <Progress isActive={isPlaceholderData} />
      <News entity={props.entity} list={props.list}>
        {data && !isNarrow && (
          <Box color="text-body-secondary">{say('total', { count: data.totalSize })}</Box>
        )}
      </News>
      {!isNarrow && <TableActions {...props} />}
    </div>
  )
}

function TableActions<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { title, table, list, csv, onImport, bulk, actions, filterLabel, tokens, filters } = props
  const isNarrow = useIsNarrow()
  const canBeNarrowed = filterLabel !== undefined || tokens !== undefined || filters !== undefined
  if (!canBeNarrowed && !csv && !bulk) return actions
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {!isNarrow && <BulkTools {...props} />}
      {canBeNarrowed && <ViewsMenu title={title} table={table} />}
      {csv && <CsvLink href={csv} total={list.data?.totalSize} onImport={onImport} />}
      {actions}
    </SpaceBetween>
  )
}

/** On a narrow screen the actions for selected rows stand outside of the panel, which may be closed. */
function BulkTools<Row extends { id: number }>({ bulk, bulkFilter, selection, list }: ServerTableProps<Row>) {
  const total = list.isPlaceholderData ? undefined : list.data?.totalSize
  if (!bulk || !selection) return null
  return (
    <BulkActions
      actions={bulk}
      selection={selection}
      shown={list.data?.collection ?? []}
      matching={bulkFilter === undefined || total === undefined ? undefined : { filter: bulkFilter, total }}
    />
  )
}

const manyPages = 20

/** A user at the pager is likely to open the next page. From then on the page after the open one is asked for ahead. */
function TablePages<Row>(props: ServerTableProps<Row>) {
  const { data, lookAhead } = props.list
  const [isTurning, setTurning] = useState(false)
  const pager = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const begin = () => setTurning(true)
    pager.current?.addEventListener('pointerenter', begin)
    pager.current?.addEventListener('focusin', begin)
  }, [])
  const look = useEffectEvent(() => lookAhead?.())
  useEffect(() => {
    if (isTurning && data) look()
  }, [isTurning, data])
  return (
    <div ref={pager}>
      <Pages {...props} />
    </div>
  )
}

function Pages<Row>({ title, table, list }: ServerTableProps<Row>) {
  const say = useTranslations('layout.table')
  const pages = lastPage(list.data?.totalSize ?? 0, table.size)
  // The field for a page number takes over the page when its loading ends, and only then.
  const settledPage = useDeferredValue(table.page)
  return (
    <Pagination
      currentPageIndex={list.data ? Math.min(table.page, pages) : table.page}
      pagesCount={list.data ? pages : Math.max(pages, table.page)}
      disabled={list.isPending}
      onChange={({ detail }) => table.setPage(detail.currentPageIndex)}
      pagesVariant="compact"
      {...(pages > manyPages && { jumpToPage: { loading: settledPage !== table.page } })}
      i18nStrings={{
        jumpToPageInputLabel: say('page'),
        jumpToPageError: say('pageFault', { last: pages }),
        pagesCompactText: ({ currentPage, pagesCount }) =>
          say('pageOf', { page: currentPage, pages: pagesCount }),
      }}
      ariaLabels={{
        paginationLabel: say('pages', { title }),
        previousPageLabel: say('previousPage'),
        nextPageLabel: say('nextPage'),
        pageLabel: (page) => say('pageNumber', { page }),
        jumpToPageButton: say('goToPage'),
      }}
    />
  )
}
