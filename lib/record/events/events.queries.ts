import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Progress } from '#lib/ground/http/event-stream'
import type { Collection } from '#lib/ground/http/view'
import type { EventDocument } from '#lib/record/events/events.schema'
import type { EventRowDocument } from '#lib/record/events/rows.schema'
import type { EventSummaryDocument } from '#lib/record/events/summary.schema'

export const eventsPath = '/api/events'

/** Filters of the list: ids of a user, an enterprise, an object (`entityid`) and a NAT network with all in it, its kind, and times in ISO 8601. */
type EventFilters = Partial<
  Record<
    'user' | 'enterprise' | 'entity' | 'entityid' | 'natnetwork' | 'action' | 'signins' | 'from' | 'to',
    Query[string]
  >
>

/** One page of events. `has` searches the names of their objects. */
export const eventsQuery = (query: Query & EventFilters = {}) => ({
  ...collectionQuery<EventDocument>(eventsPath, query),
  // New events arrive at any time, but a screen that opens asks once, in its loader.
  staleTime: 2_000,
})

/** One event. Events never change. */
export const eventQuery = (event: number) => ({
  ...resourceQuery<EventDocument>(`${eventsPath}/${event}`),
  staleTime: Number.POSITIVE_INFINITY,
})

export const eventRowsPath = (event: number): string => `${eventsPath}/${event}/rows`

/** A row has no id of its own, as a resource may have several: its place in the list is one. */
export type EventRow = EventRowDocument & { id: number }

/** One page of what an event touched. */
export function eventRowsQuery(event: number, query: Query & { startwith: number }) {
  const path = eventRowsPath(event)
  return queryOptions({
    ...collectionQuery<EventRow>(path, query),
    queryFn: async ({ signal, meta }) => {
      const page = await api<Collection<EventRowDocument>>(path, { query, signal, meta })
      const collection = page.collection.map((row, index) => ({ ...row, id: query.startwith + index + 1 }))
      return { ...page, collection }
    },
  })
}

/** Who changed what in the last seven days. */
export const weekQuery = () =>
  queryOptions({
    queryKey: [...pathKey(`${eventsPath}/action/summary`)] as readonly unknown[],
    queryFn: ({ signal, meta }) =>
      api<EventSummaryDocument>(`${eventsPath}/action/summary`, { signal, meta }),
    staleTime: 0,
  })

/** The document that an event changed, before or after it. Neither ever changes, but sight of it may. */
export const eventDocumentQuery = (event: number, side: 'before' | 'after') =>
  queryOptions({
    queryKey: [...pathKey(`${eventsPath}/${event}/${side}`)] as readonly unknown[],
    queryFn: ({ signal, meta }) =>
      api<Record<string, unknown>>(`${eventsPath}/${event}/${side}`, { signal, meta }),
    retry: false,
  })

export const undoPath = (event: number): string => `${eventsPath}/${event}/action/undo`

type OnProgress = (progress: Progress) => void

/** A preview of an undo. It fails in the same cases as the undo. */
export const undoQuery = (event: number, onProgress: OnProgress) =>
  queryOptions({
    queryKey: [...pathKey(undoPath(event))] as readonly unknown[],
    queryFn: ({ signal }) =>
      api<EventDocument>(undoPath(event), {
        method: 'POST',
        query: { dryrun: true },
        signal,
        once: false,
        onProgress,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
