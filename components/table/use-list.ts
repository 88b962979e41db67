import { hashKey, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { collectionQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import type { TableState } from './use-table-state'

type PageQuery<Row> = (startwith: number) => ReturnType<typeof collectionQuery<Row>>

export type ListResult<Row> = Omit<UseQueryResult<Collection<Row>>, 'refetch'> & {
  /** The query of the page that begins at this row. */
  pageFrom: PageQuery<Row>
  /** Names the order and the filters of the list. */
  source: string
  /** Loads all pages on the screen again. */
  refetch: () => Promise<void>
}

/** The page of a list that the URL names. `pageFrom` is the query of the page that begins at this row. */
export function useList<Row>(
  { query: { startwith } }: Pick<TableState<string>, 'query'>,
  pageFrom: PageQuery<Row>,
): ListResult<Row> {
  const client = useQueryClient()
  const source = hashKey(pageFrom(0).queryKey)
  return {
    ...useQuery(pageFrom(startwith)),
    pageFrom,
    source,
    refetch: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => {
          const query = queryKey.at(-1)
          return (
            typeof query === 'object' &&
            hashKey([...queryKey.slice(0, -1), { ...query, startwith: 0 }]) === source
          )
        },
      }),
  }
}
