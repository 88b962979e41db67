import Header from '@cloudscape-design/components/header'
import Pagination from '@cloudscape-design/components/pagination'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { Failure } from '#components/layout/failure'
import type { Collection } from '#lib/http/view'
import { columnDefinitions, columnDisplay, columnWidths, type TableColumn } from './table-columns'
import { TableFilter } from './table-filter'
import { useTablePreferences } from './table-preferences'
import { TablePreferencesDialog } from './table-preferences-dialog'
import { type EmptyState, FilterRow, NoMatch, NothingYet, Progress } from './table-states'
import { lastPage } from './table-url'
import { useIsNarrow } from './table-width'
import type { TableState } from './use-table-state'

export type Selection<Row> = {
  type: 'single' | 'multi'
  selected: readonly Row[]
  onChange: (rows: Row[]) => void
  /** What a row is called for who cannot see it. */
  nameOf: (row: Row) => string
}

type ServerTableProps<Row> = {
  title: string
  headingTag?: 'h2' | 'h3'
  description?: ReactNode
  columns: readonly TableColumn<Row>[]
  /** From `useTableState`. */
  table: Omit<TableState<string>, 'setFilter'>
  /** `useQuery` of the page that `table.query` asks for. */
  list: UseQueryResult<Collection<Row>>
  empty: EmptyState
  /** What the text filter looks for; a list without it has no text filter. */
  filterLabel?: string
  /** Further controls that narrow the list. */
  filters?: ReactNode
  actions?: ReactNode
  selection?: Selection<Row>
  variant?: TableProps.Variant
}

/** The one table over a paged collection of the API: pages, order and filters are the server's, the state is the URL's. */
export function ServerTable<Row extends { id: number }>(props: ServerTableProps<Row>) {
  const { columns, table, list, selection, title, variant = 'container' } = props
  const [preferences, setPreferences] = useTablePreferences(table.name)
  const { data, isPlaceholderData: isStale } = list
  const definitions = columnDefinitions(columns, preferences)
  const sorted = definitions.find(
    ({ sortingField }) => sortingField !== undefined && sortingField === table.by,
  )
  return (
    <div aria-busy={isStale}>
      {data && list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      <PageCorrection table={table} total={isStale ? undefined : data?.totalSize} />
      <Table
        variant={variant}
        items={data?.collection ?? []}
        trackBy={({ id }) => String(id)}
        columnDefinitions={definitions}
        columnDisplay={columnDisplay(columns, preferences)}
        resizableColumns
        onColumnWidthsChange={({ detail }) =>
          setPreferences({ widths: columnWidths(columns, detail.widths) })
        }
        stickyHeader
        stickyColumns={{ first: selection ? 2 : 1 }}
        enableKeyboardNavigation
        wrapLines={preferences.wrap ?? false}
        contentDensity={preferences.density ?? 'comfortable'}
        loading={list.isPending}
        loadingText={`Loading ${title}`}
        skeleton={{ totalRows: 'auto', maxAutoRows: table.size, minAutoRows: 3 }}
        {...(sorted && { sortingColumn: sorted })}
        sortingDescending={!table.asc}
        onSortingChange={({ detail }) => {
          const by = detail.sortingColumn.sortingField
          if (by !== undefined) table.setOrder(by, !detail.isDescending)
        }}
        {...(selection && selectionProps(selection))}
        ariaLabels={ariaLabels(title, selection)}
        firstIndex={(table.page - 1) * table.size + 1}
        {...(data && { totalItemsCount: data.totalSize })}
        renderAriaLive={announcement}
        header={<TableHeader {...props} />}
        filter={<TableFilters {...props} />}
        empty={<TableEmpty {...props} />}
        pagination={<TablePages {...props} />}
        preferences={
          <TablePreferencesDialog
            columns={columns}
            preferences={preferences}
            size={table.size}
            onConfirm={(changes) => {
              setPreferences(changes)
              if (changes.size && changes.size !== table.size) table.setSize(changes.size)
            }}
          />
        }
      />
    </div>
  )
}

const selectionProps = <Row,>({ type, selected, onChange }: Selection<Row>) => ({
  selectionType: type,
  selectedItems: selected,
  onSelectionChange: ({ detail }: { detail: TableProps.SelectionChangeDetail<Row> }) =>
    onChange(detail.selectedItems),
})

const ariaLabels = <Row,>(
  title: string,
  selection: Selection<Row> | undefined,
): TableProps.AriaLabels<Row> => ({
  tableLabel: title,
  resizerRoleDescription: 'Column width',
  resizerTooltipText: 'Drag, or use the arrow keys after Enter, to change the width',
  ...(selection && {
    selectionGroupLabel: `Select rows of ${title}`,
    allItemsSelectionLabel: () => 'Select all rows of this page',
    itemSelectionLabel: (_, row) => `Select ${selection.nameOf(row)}`,
  }),
})

const announcement = ({ firstIndex, lastIndex, totalItemsCount = 0 }: TableProps.LiveAnnouncement): string =>
  totalItemsCount === 0
    ? 'No rows'
    : `Rows ${firstIndex.toLocaleString()} to ${lastIndex.toLocaleString()} of ${totalItemsCount.toLocaleString()}`

function TableHeader<Row>({ title, headingTag = 'h2', description, actions, list }: ServerTableProps<Row>) {
  const total = list.data?.totalSize
  return (
    <Header
      variant={headingTag}
      description={description}
      actions={actions}
      info={<Progress isActive={list.isPlaceholderData} />}
      {...(total !== undefined && { counter: `(${total.toLocaleString()})` })}
    >
      {title}
    </Header>
  )
}

function TableFilters<Row>({ filterLabel, filters, table, list }: ServerTableProps<Row>) {
  if (!filterLabel && !filters) return null
  return (
    <FilterRow>
      {filterLabel && (
        <TableFilter
          label={filterLabel}
          has={table.has}
          total={list.data?.totalSize}
          isLoading={list.isFetching}
          onSearch={table.setHas}
        />
      )}
      {filters}
    </FilterRow>
  )
}

function TableEmpty<Row>({ list, table, empty }: ServerTableProps<Row>) {
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return table.isFiltered ? <NoMatch onClear={table.clearFilters} /> : <NothingYet {...empty} />
}

function TablePages<Row>({ title, table, list }: ServerTableProps<Row>) {
  const isNarrow = useIsNarrow()
  const pages = lastPage(list.data?.totalSize ?? 0, table.size)
  return (
    <Pagination
      currentPageIndex={list.data ? Math.min(table.page, pages) : table.page}
      pagesCount={list.data ? pages : Math.max(pages, table.page)}
      disabled={list.isPending}
      onChange={({ detail }) => table.setPage(detail.currentPageIndex)}
      pagesVariant={isNarrow ? 'compact' : 'normal'}
      {...(pages > manyPages && { jumpToPage: {} })}
      i18nStrings={{
        jumpToPageInputLabel: 'Page',
        jumpToPageError: `Enter a page from 1 to ${pages}`,
        pagesCompactText: ({ currentPage, pagesCount }) =>
          `${currentPage.toLocaleString()} of ${pagesCount.toLocaleString()}`,
      }}
      ariaLabels={{
        paginationLabel: `Pages of ${title}`,
        previousPageLabel: 'Previous page',
        nextPageLabel: 'Next page',
        pageLabel: (page) => `Page ${page}`,
        jumpToPageButton: 'Go to this page',
      }}
    />
  )
}

const manyPages = 20

/**
 * A page beyond the end (an old link, rows that are gone) becomes the last page. The total of an answer never exceeds
 * the page that it leads to, so that one correction is enough.
 */
function PageCorrection({
  table,
  total,
}: {
  table: Pick<TableState, 'page' | 'size' | 'searchOfPage'>
  total: number | undefined
}) {
  if (total === undefined || table.page <= lastPage(total, table.size)) return null
  return <Navigate replace to={{ search: table.searchOfPage(lastPage(total, table.size)) }} />
}
