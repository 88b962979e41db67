import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { idIn } from '#components/base/forms/ids'
import { pageStart } from '#components/table/table-url'
import type { TableState } from '#components/table/use-table-state'
import type { Collection } from '#lib/ground/http/view'
import { eventQuery, eventsQuery } from '#lib/record/events/events.queries'
import type { EventDocument } from '#lib/record/events/events.schema'
import { rowsPrefix } from './event-rows'

type List = {
  table: Pick<TableState, 'first' | 'size' | 'searchOfRow'>
  /** The query of the list. */
  query: Parameters<typeof eventsQuery>[0]
  data: Collection<EventDocument> | undefined
}

type Direction = 'previous' | 'next'

/** The event that the URL opens beside the list, with steps to the previous and next event across pages. */
export function useOpenEvent(list: List) {
  const [search, setSearch] = useSearchParams()
  const id = idIn(search, 'event')
  const listed = list.data?.collection.find((event) => event.id === id)
  const read = useQuery({
    ...eventQuery(id ?? 0),
    enabled: id !== undefined && list.data !== undefined && !listed,
  })
  const turn = useTurn(list)

  const searchWith = (event: number | undefined): URLSearchParams => {
    const changed = new URLSearchParams(search)
    for (const name of search.keys()) if (name.startsWith(`${rowsPrefix}.`)) changed.delete(name)
    if (event === undefined) changed.delete('event')
    else changed.set('event', String(event))
    return changed
  }
  const show = (event: number | undefined) =>
    setSearch(searchWith(event), { replace: id !== undefined, preventScrollReset: true })

  const go = async (step: Direction) => {
    const there = neighbour(list, id, step)
    if (there) return show(there.id)
    const { row, event } = await turn.mutateAsync(step)
    const turned = new URLSearchParams(list.table.searchOfRow(row))
    if (event !== undefined) turned.set('event', String(event))
    setSearch(turned, { replace: true, preventScrollReset: true })
  }

  return {
    id,
    event: listed ?? read.data?.document,
    error: read.error,
    retry: () => void read.refetch(),
    isListed: listed !== undefined,
    isTurning: turn.isPending,
    /** True if the list has more events in this direction. */
    may: (step: Direction) =>
      neighbour(list, id, step) !== undefined || (listed !== undefined && hasPage(list, step)),
    go,
    show,
    searchOf: (event: number) => `?${searchWith(event)}`,
  }
}

export type OpenEvent = ReturnType<typeof useOpenEvent>

function neighbour({ data }: List, id: number | undefined, step: Direction): EventDocument | undefined {
  const at = data?.collection.findIndex((event) => event.id === id) ?? -1
  return at === -1 ? undefined : data?.collection[step === 'next' ? at + 1 : at - 1]
}

const hasPage = ({ data, table: { first, size } }: List, step: Direction): boolean =>
  step === 'next' ? pageStart(first, size) + size < (data?.totalSize ?? 0) : first >= size

/** Reads the next or previous page, and returns the event at its edge. */
function useTurn({ table, query }: List) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (step: Direction) => {
      const here = pageStart(table.first, table.size)
      const startwith = step === 'next' ? here + table.size : here - table.size
      const { collection } = await client.fetchQuery(eventsQuery({ ...query, startwith }))
      return step === 'next'
        ? { row: startwith, event: collection.at(0)?.id }
        : { row: here - 1, event: collection.at(-1)?.id }
    },
  })
}
