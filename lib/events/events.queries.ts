import { collectionQuery, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { EventDocument } from '#lib/events/events.schema'

export const eventsPath = '/api/events'

/** What narrows the list: ids of a user, an enterprise and a thing (`entityid`), its kind, and times in ISO 8601. */
type EventFilters = Partial<
  Record<'user' | 'enterprise' | 'entity' | 'entityid' | 'action' | 'from' | 'to', Query[string]>
>

/** A page of the events; `has` looks in the names of the things that they tell of. */
export const eventsQuery = (query: Query & EventFilters = {}) => ({
  ...collectionQuery<EventDocument>(eventsPath, query),
  // There are new ones at any time.
  staleTime: 0,
})

/** One event: it never changes. */
export const eventQuery = (event: number) => ({
  ...resourceQuery<EventDocument>(`${eventsPath}/${event}`),
  staleTime: Number.POSITIVE_INFINITY,
})
