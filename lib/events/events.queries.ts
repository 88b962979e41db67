import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { EventDocument } from '#lib/events/events.schema'
import type { EventSummaryDocument } from '#lib/events/summary.schema'

export const eventsPath = '/api/events'

/** Filters of the list: ids of a user, an enterprise and an object (`entityid`), its kind, and times in ISO 8601. */
type EventFilters = Partial<
  Record<'user' | 'enterprise' | 'entity' | 'entityid' | 'action' | 'from' | 'to', Query[string]>
>

/** One page of events. `has` searches the names of their objects. */
export const eventsQuery = (query: Query & EventFilters = {}) => ({
  ...collectionQuery<EventDocument>(eventsPath, query),
  // New events arrive at any time.
  staleTime: 0,
})

/** One event. Events never change. */
export const eventQuery = (event: number) => ({
  ...resourceQuery<EventDocument>(`${eventsPath}/${event}`),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who changed what in the last seven days. */
export const weekQuery = () =>
  queryOptions({
    queryKey: [...pathKey(`${eventsPath}/action/summary`)] as readonly unknown[],
    queryFn: ({ signal }) => api<EventSummaryDocument>(`${eventsPath}/action/summary`, { signal }),
    staleTime: 0,
  })
