import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { collectionQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import type { TableState } from './use-table-state'

export type ListResult<Row> = UseQueryResult<Collection<Row>> & {
  /** Asks for the next page before it is opened. */
  lookAhead?: () => void
}

/** The open page of a list. `rowsFrom` is the query of the page that begins at this row. */
export function useList<Row>(
  { query: { startwith, limit } }: Pick<TableState<string>, 'query'>,
  rowsFrom: (startwith: number) => ReturnType<typeof collectionQuery<Row>>,
): ListResult<Row> {
  const client = useQueryClient()
  const list = useQuery(rowsFrom(startwith))
  const next = startwith + limit
  const isLast = !list.data || list.isPlaceholderData || next >= list.data.totalSize
  return {
    ...list,
    lookAhead: () => {
      if (!isLast) void client.prefetchQuery(rowsFrom(next))
    },
  }
}
