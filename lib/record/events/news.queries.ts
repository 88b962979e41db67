import { queryOptions, useQuery } from '@tanstack/react-query'
import { can } from '#lib/caller/auth/privileges'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import { api } from '#lib/client/api'
import type { Call, Change } from '#lib/client/calls'
import { serverTime } from '#lib/client/server-clock'
import { type Collection, idOfLink, ownLink } from '#lib/ground/http/view'
import { eventsPath } from '#lib/record/events/events.queries'
import type { EntityType, EventDocument } from '#lib/record/events/events.schema'

/** The interval (ms) in which a visible list or form asks for changes by others. */
const NEWS_MS = 30_000

/** More changes than this are not counted. */
export const MOST_NEWS = 25

/** `Date` is exact to a second, and an event has the time at which its transaction began. */
const MARGIN_MS = 2000

/** The cached session, if its user may see events. */
function useReader() {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  if (!data || data.mustChangePassword || data.mustEnableTwoFactor) return undefined
  const privileges = new Set(data.privileges)
  return can({ privileges }, ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL']) ? data : undefined
}

const newest = { by: 'timestamp', asc: false }

/** The number of changes by users other than `nick` to resources of this kind since `since` (epoch milliseconds). At most `MOST_NEWS`. */
export const newsQuery = (entity: EntityType | undefined, since: number, nick: string | undefined) =>
  queryOptions({
    queryKey: ['news', entity, since] as readonly unknown[],
    queryFn: async ({ signal, meta }) => {
      const from = new Date(serverTime(since) - MARGIN_MS).toISOString()
      const query = { ...newest, entity, from, limit: MOST_NEWS }
      const { collection } = await api<Collection<EventDocument>>(eventsPath, { query, signal, meta })
      return collection.filter(({ user }) => user !== nick).length
    },
    staleTime: NEWS_MS,
    refetchInterval: NEWS_MS,
    refetchOnWindowFocus: 'always',
    retry: false,
    gcTime: 0,
  })

/** The changes by others since a list was loaded; none for a reader who may not see events. */
export function useNewsOf(entity: EntityType | undefined, since: number): number {
  const reader = useReader()
  const { data } = useQuery({
    ...newsQuery(entity, since, reader?.nick),
    enabled: reader !== undefined && entity !== undefined && since > 0,
    // The first question comes when the list has stood for a while.
    initialData: 0,
    initialDataUpdatedAt: since,
  })
  return data
}

/** How many changes of an enterprise are searched for the last one of its properties. */
const MOST_SEARCHED = 20

/** Properties are events of their enterprise. */
const changesProperties = ({ changes }: EventDocument): boolean =>
  Object.keys(changes).some((field) => field.startsWith('properties.'))

/** The last change of a resource. `version` is its ETag. */
export function lastChangeQuery(document: unknown, version: string | undefined) {
  const self = ownLink(document)
  const kind = self?.type?.match(/\b(\w+)\+json/)?.[1]
  const isProperties = kind === 'enterpriseproperties'
  const [entity, entityid] = isProperties
    ? ['enterprise', idOfLink({ href: self?.href.replace(/\/properties$/, '') ?? '' })]
    : [kind, idOfLink(self)]
  return queryOptions({
    queryKey: ['news', self?.href, version] as readonly unknown[],
    queryFn: async ({ signal, meta }) => {
      const limit = isProperties ? MOST_SEARCHED : 1
      const query = { ...newest, entity, entityid, limit }
      const { collection } = await api<Collection<EventDocument>>(eventsPath, { query, signal, meta })
      return collection.find((event) => !isProperties || changesProperties(event)) ?? null
    },
    retry: false,
    gcTime: 0,
  })
}

/** The user and time of the last change; undefined for a reader who may not see events. */
export function useLastChangeOf(document: unknown, version: string | undefined): EventDocument | undefined {
  const reader = useReader()
  const { data } = useQuery({
    ...lastChangeQuery(document, version),
    enabled: reader !== undefined && document !== undefined,
  })
  return data ?? undefined
}

/** The number that ends a path: the resource that a PUT or a DELETE changed. */
const idIn = ({ address }: Call): number | undefined => idOfLink({ href: address })

/** The event of a change that this user has just made; undefined for a reader who may not see events. */
export function useEventOf(change: Change | undefined): EventDocument | undefined {
  const reader = useReader()
  const user = reader?.id
  const { data } = useQuery({
    queryKey: ['news', 'own', change?.call.method, change?.call.address, change?.sent] as readonly unknown[],
    queryFn: async ({ signal, meta }) => {
      const from = new Date(serverTime(change?.sent ?? 0) - MARGIN_MS).toISOString()
      const entityid = change && idIn(change.call)
      const query = { ...newest, user, from, limit: 1, entityid }
      const { collection } = await api<Collection<EventDocument>>(eventsPath, { query, signal, meta })
      return collection[0] ?? null
    },
    enabled: user !== undefined && change !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0,
  })
  return data ?? undefined
}
