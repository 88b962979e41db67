import type { ServerTableProps } from './server-table'
import { TableFilter } from './table-filter'
import { FilterRow } from './table-states'
import { TokenFilter } from './table-token-filter'

/** Everything that narrows the list. */
export function TableSearch<Row>({ filterLabel, tokens, filters, table, list }: ServerTableProps<Row>) {
  if (!filterLabel && !tokens && !filters) return null
  // The total of the search before says nothing of this one.
  const total = list.isPlaceholderData ? undefined : list.data?.totalSize
  const state = { total, isLoading: list.isFetching }
  return (
    <FilterRow>
      {tokens ? (
        <TokenFilter tokens={tokens} table={table} label={filterLabel} {...state} />
      ) : (
        filterLabel && <TableFilter label={filterLabel} has={table.has} onSearch={table.setHas} {...state} />
      )}
      {filters}
    </FilterRow>
  )
}
