import type { ServerTableProps } from './server-table'
import { TableFilter } from './table-filter'
import { FilterRow } from './table-states'
import { TokenFilter } from './table-token-filter'

/** Everything that narrows the list. */
export function TableSearch<Row>({ filterLabel, tokens, filters, table, list }: ServerTableProps<Row>) {
  if (!filterLabel && !tokens && !filters) return null
  const state = { total: list.data?.totalSize, isLoading: list.isFetching }
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
