import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Span } from '#components/kit/row-places'
import { pageStart } from './table-url'
import type { ListResult } from './use-list'
import type { TableState } from './use-table-state'

/** Pages that are loaded ahead in the direction of scrolling. */
const ahead = 2

/** All rows of a list by their numbers. The pages of the rendered rows are loaded, and some ahead once the table scrolls. */
export function useRows<Row>(list: ListResult<Row>, { query, size }: TableState<string>) {
  const { data, isPlaceholderData, pageFrom, source } = list
  const client = useQueryClient()
  const [pages, setPages] = useState<Span & { of: string }>()
  const isKnown = pages?.of === source && data !== undefined
  const end = isKnown ? Math.min(pages.end, data.totalSize) : 0
  const starts = isKnown ? startsOf({ start: pages.start, end }, size) : []
  const read = useQueries({
    queries: starts.map((start) => ({ ...pageFrom(start), placeholderData: undefined })),
  })
  usePagesAhead(list, starts, size)
  const rows = new Map(starts.map((start, index) => [start, read[index]?.data?.collection]))
  if (data && !isPlaceholderData) rows.set(query.startwith, data.collection)
  return {
    rowAt: (index: number): Row | undefined => rows.get(pageStart(index, size))?.[index % size],
    starts: starts.length > 0 ? starts : [query.startwith],
    loaded: [...rows.values()].flatMap((page) => page ?? []),
    failed: read.find(({ isError }) => isError)?.error,
    /** The rows of another order or filter stay until the first page of this one comes. */
    isStale: isPlaceholderData && !isKnown,
    /** The rows of a range, whose pages are loaded where they are not there. */
    between: async ({ start, end }: Span): Promise<Row[]> => {
      const first = pageStart(start, size)
      const pages = startsOf({ start: first, end }, size).map((at) =>
        client.fetchQuery({ ...pageFrom(at), staleTime: Number.POSITIVE_INFINITY }),
      )
      const rows = (await Promise.all(pages)).flatMap(({ collection }) => collection)
      return rows.slice(start - first, end - first)
    },
    onSpan: ({ start, end }: Span) => {
      const next = { of: source, start: pageStart(start, size), end: pageStart(end + size - 1, size) }
      setPages((now) => (now?.of === source && now.start === next.start && now.end === next.end ? now : next))
    },
  }
}

/** The first rows of the pages that hold these rows. */
const startsOf = ({ start, end }: Span, size: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - start) / size)) }, (_, page) => start + page * size)

function usePagesAhead<Row>({ data, pageFrom }: ListResult<Row>, starts: readonly number[], size: number) {
  const client = useQueryClient()
  const before = useRef(0)
  const shown = starts.join()
  const load = useEffectEvent(() => {
    const [from = 0] = starts
    const isDown = from >= before.current
    before.current = from
    for (let page = 1; page <= ahead; page += 1) {
      const start = isDown ? (starts.at(-1) ?? from) + page * size : from - page * size
      if (start >= 0 && start < (data?.totalSize ?? 0)) void client.prefetchQuery(pageFrom(start))
    }
  })
  useEffect(() => {
    if (shown !== '') load()
  }, [shown])
}
