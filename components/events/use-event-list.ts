import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useNow } from 'use-intl'
import { useTableState } from '#components/table/use-table-state'
import { eventsQuery } from '#lib/events/events.queries'
import { entityTypes, eventOrders } from '#lib/events/events.schema'
import { askedFor, inUrl, type Period, periodOf } from './period'

const filters = {
  user: 'id',
  enterprise: 'id',
  entity: entityTypes,
  entityid: 'id',
  action: 'text',
  last: 'text',
  from: 'text',
  to: 'text',
} as const

const MINUTE = 60_000

/** The state of the list of events, and what it asks the API. */
export function useEventList() {
  const table = useTableState({ name: 'events', by: 'timestamp', asc: false, orders: eventOrders, filters })
  const period = periodOf(table.filters)
  const times = askedFor(period, useNow({ updateInterval: MINUTE }))
  const query = { ...table.query, last: undefined, from: undefined, to: undefined, ...times }
  return { table, period, setPeriod: useSetPeriod(), query, list: useQuery(eventsQuery(query)) }
}

function useSetPeriod() {
  const [, setSearch] = useSearchParams()
  return (period: Period | undefined) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        for (const name of ['last', 'from', 'to', 'page']) changed.delete(name)
        for (const [name, value] of Object.entries(inUrl(period))) changed.set(name, value)
        return changed
      },
      { preventScrollReset: true },
    )
}
