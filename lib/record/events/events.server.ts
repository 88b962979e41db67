import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { seesEverything } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter } from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'
import { hasText, inOrderOf, isUnfiltered, list } from '#lib/db/list.server'
import { paddedIds, statement, together } from '#lib/db/statements.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { type LinkDocument, link, type MediaName } from '#lib/ground/http/view'
import {
  type Change,
  documented,
  type EntityType,
  type EventFilters,
  type EventQuery,
  type EventView,
  sessionActions,
} from '#lib/record/events/events.schema'
import { namedInFlat, shownFlat } from '#lib/record/events/flat'
import { visibleThings } from '#lib/record/events/places.server'
import { seesActor, type Viewer, viewerOf, visibleEvents } from '#lib/record/events/sight.server'
import {
  type Named,
  namedIn,
  type StoredChanges,
  shownChange,
  withoutSecrets,
} from '#lib/record/events/stored'
import { countTouched, kindsOfMany, placeOfNetwork, withoutHidden } from '#lib/record/events/touched.server'

/** The columns that documents show. */
const shownColumns = [
  'events.id',
  'events.timestamp',
  'events.action',
  'events.entity_type',
  'events.entity_id',
  'events.entity_name',
  'events.entity_path',
  'events.changes',
  'events.structured',
  'events.user_id',
  'events.user_nick',
  'events.enterprise_id',
  'events.request_id',
  'events.ip',
  'events.undoes',
  'events.document_path',
  'events.undoable',
  'events.about_enterprise_id',
  'events.about_datacenter_id',
] as const

const rowsOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('events')
    .leftJoin('enterprises', 'enterprises.id', 'events.enterprise_id')
    .leftJoin('events as undoing', 'undoing.undoes', 'events.id')
    .where('events.id', 'in', ids)
    .select(shownColumns)
    .select(['enterprises.name as enterprise_name', 'undoing.id as undone_by'])

type EventRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

const eventRows = statement('events', (db, { ids }: { ids: number[] }) => rowsOf(db, ids))

/** The events with these ids, in this order. */
const eventsInOrder = async (db: Db, ids: readonly { id: number }[]): Promise<EventRow[]> =>
  inOrderOf(ids, await eventRows(db, { ids: paddedIds(ids) }))

/** The events without the names of resources that the caller cannot see now. */
async function eventViews({ caller, db }: ReadContext, rows: EventRow[]): Promise<EventView[]> {
  const changed = rows.map((row) => ({ row, changes: changesOf(row) }))
  const things = changed.flatMap(({ row, changes }) => [...actorOf(row), ...changes.things])
  const sees = await visibleThings(db, caller, things)
  const related = await visibleAmong(
    { caller, db },
    rows.flatMap(({ undoes, undone_by }) => [undoes, undone_by]),
  )
  const counts = await together(...rows.map((row) => countTouched({ caller, db }, row)))
  return changed.map(({ row, changes }, index) => {
    const shown = withoutHidden(caller, row, changes.shown(sees))
    return eventView(row, shown, { sees, related, count: counts[index] ?? 1 })
  })
}

type Sees = (thing: Named) => boolean

/** The events among these that the caller sees. */
async function visibleAmong({ caller, db }: ReadContext, ids: (number | null)[]): Promise<Set<number>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Set()
  const rows = await visibleEvents(db, viewerOf(caller))
    .where('events.id', 'in', wanted)
    .select('events.id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

type Seen = { sees: Sees; related: ReadonlySet<number>; count: number }

function changesOf(row: EventRow): { things: Named[]; shown: (sees: Sees) => [string, Change][] } {
  const entity = row.entity_type as EntityType
  if (row.structured === 1) {
    // Events from before the rule have whole addresses, and are sealed.
    const changes = withoutSecrets(JSON.parse(row.changes) as StoredChanges)
    return {
      things: namedIn(changes),
      shown: (sees) => Object.entries(changes).map(([field, change]) => [field, shownChange(change, sees)]),
    }
  }
  const changes = JSON.parse(row.changes) as Record<string, Change>
  return {
    things: namedInFlat(entity, changes),
    shown: (sees) =>
      Object.entries(changes).map(([field, change]) => [field, shownFlat(entity, [field, change], sees)]),
  }
}

/** The user who made the change, and their enterprise at that time. Callers who see the user only now do not see who it was. */
const actorOf = ({ user_id, enterprise_id }: EventRow): Named[] =>
  enterprise_id === null
    ? []
    : [
        { type: kinds.enterprise.name, id: enterprise_id },
        ...(user_id === null
          ? []
          : [{ type: kinds.user.name, id: user_id, at: { enterprise: enterprise_id } }]),
      ]

function eventView(row: EventRow, changes: [string, Change][], { sees, related, count }: Seen): EventView {
  const showsActor = actorOf(row).every(sees)
  return {
    links: [
      link('self', `/events/${row.id}`, 'event'),
      ...(showsActor ? actorLinks(row) : []),
      ...entityLink(row),
      ...journalLinks(row, related),
    ],
    id: row.id,
    timestamp: new Date(row.timestamp).toISOString(),
    action: row.action,
    entityType: row.entity_type as EntityType,
    ...(row.entity_id !== null && { entityId: row.entity_id }),
    entityName: row.entity_name,
    changes: new Map(changes),
    ...(showsActor ? row.user_nick !== null && { user: row.user_nick } : { userHidden: true }),
    ...(showsActor && row.enterprise_name !== null && { enterprise: row.enterprise_name }),
    requestId: row.request_id,
    ...(showsActor && { ip: row.ip }),
    count,
  }
}

function actorLinks({ user_id, user_nick, enterprise_id, enterprise_name }: EventRow): LinkDocument[] {
  if (enterprise_id === null || enterprise_name === null) return []
  const enterprise = pathOf(kinds.enterprise, { id: enterprise_id })
  return [
    ...(user_id === null ? [] : [link('user', `${enterprise}/users/${user_id}`, 'user', user_nick ?? '')]),
    link('enterprise', enterprise, 'enterprise', enterprise_name),
  ]
}

/**
 * The links of the event to documents, and to its undo: the event that it undid, the event that undid it, or the operation that undoes it.
 */
function journalLinks(
  { id, action, entity_type, document_path, undoable, undone_by, undoes }: EventRow,
  seen: ReadonlySet<number>,
): LinkDocument[] {
  const path = `/events/${id}`
  const isShown = document_path !== null && (documented as readonly string[]).includes(entity_type)
  const event = (rel: string, other: number | null) =>
    other !== null && seen.has(other) ? [link(rel, `/events/${other}`, 'event')] : []
  return [
    ...(isShown && action !== 'create' ? [link('before', `${path}/before`)] : []),
    ...(isShown && action !== 'delete' ? [link('after', `${path}/after`)] : []),
    ...(kindsOfMany(action) ? [link('rows', `${path}/rows`, 'eventrows')] : []),
    ...event('undoes', undoes),
    ...event('undoneby', undone_by),
    ...(undoable === 1 && undone_by === null ? [link('undo', `${path}/action/undo`, 'event')] : []),
  ]
}

/** A deleted resource has no address. */
const entityLink = ({ entity_type, entity_name, entity_path, action }: EventRow): LinkDocument[] =>
  entity_path === null || action === 'delete'
    ? []
    : [link('entity', entity_path, entity_type as MediaName, entity_name)]

/** The whole row. Throws EVENT-0. */
export async function findEvent({ caller, db }: ReadContext, id: number) {
  const seen = await visibleEvents(db, viewerOf(caller))
    .where('events.id', '=', id)
    .select('id')
    .executeTakeFirst()
  const row = seen && (await rowsOf(db, [id]).selectAll('events').executeTakeFirst())
  if (!row) throw new ApiError('EVENT-0')
  return row
}

/** Throws EVENT-0. */
export async function readEvent({
  params,
  ...context
}: ReadContext & { params: { event: number } }): Promise<EventView> {
  const [view] = await eventViews(context, [await findEvent(context, params.event)])
  if (!view) throw new ApiError('EVENT-0')
  return view
}

/** In literals, as the partial indexes have it. */
const sessions = sql.join(sessionActions.map((action) => sql.lit(action)))
const isSession = sql<SqlBool>`events.action in (${sessions})`
const isChange = sql<SqlBool>`events.action not in (${sessions})`

/**
 * The events at whose moments the row of the network or its totals changed: those about the network, its NAT IPs and their rules. A
 * transaction may have events of several datacenters. A filter by an invisible network finds nothing.
 */
function isOfNetwork(caller: Viewer, network: number): RawBuilder<SqlBool> {
  const moments = sql`(select until from past_rows
    where source in (${sql.lit(kinds.natnetwork.table)}, 'nat_counts') and id = ${network} and part = '')`
  const datacenter = placeOfNetwork(network)
  return sql`(events.id in (select event.id from events event where event.moment in ${moments}
      union all select event_id from event_steps where moment in ${moments})
    and ${seesDatacenter(caller, datacenter)}
    and (events.about_datacenter_id is null or events.about_datacenter_id = ${datacenter}))`
}

/** A filter by an invisible user or enterprise finds nothing. */
const filteredEvents = (
  db: Db,
  caller: Viewer,
  { user, enterprise, entity, entityid, natnetwork, action, signins, from, to }: Omit<EventFilters, 'has'>,
  has: string,
) =>
  visibleEvents(db, caller)
    .$if(user !== undefined, (rows) => rows.where('events.user_id', '=', user ?? 0))
    .$if(enterprise !== undefined, (rows) => rows.where('events.enterprise_id', '=', enterprise ?? 0))
    .$if(user !== undefined || enterprise !== undefined, (rows) => rows.where(seesActor(caller)))
    .$if(entity !== undefined, (rows) => rows.where('events.entity_type', '=', entity ?? ''))
    .$if(entityid !== undefined, (rows) => rows.where('events.entity_id', '=', entityid ?? 0))
    .$if(natnetwork !== undefined, (rows) => rows.where(isOfNetwork(caller, natnetwork ?? 0)))
    .$if(action !== undefined, (rows) => rows.where('events.action', '=', action ?? ''))
    .$if(signins !== undefined, (rows) => rows.where(signins ? isSession : isChange))
    .$if(from !== undefined, (rows) => rows.where('events.timestamp', '>=', from ?? 0))
    .$if(to !== undefined, (rows) => rows.where('events.timestamp', '<=', to ?? 0))
    .where(hasText('events.entity_key', has))
    .select('events.id')

/** The events among these that the caller sees and the filters select, in the same order. */
export async function readEvents(
  context: ReadContext,
  ids: readonly number[],
  filters: EventFilters,
): Promise<EventView[]> {
  if (ids.length === 0) return []
  const seen = await filteredEvents(context.db, viewerOf(context.caller), filters, filters.has)
    .where('events.id', 'in', ids)
    .execute()
  if (seen.length === 0) return []
  const selected = new Set(seen.map(({ id }) => id))
  const wanted = ids.filter((id) => selected.has(id)).map((id) => ({ id }))
  return eventViews(context, await eventsInOrder(context.db, wanted))
}

export const listEvents = (
  { caller, db }: ReadContext,
  { from, to, ...query }: EventQuery,
): Promise<Listing> => {
  const { user, enterprise, entity, entityid, natnetwork, action, signins } = query
  const filters = { user, enterprise, entity, entityid, natnetwork, action, signins, from, to }
  const viewer = viewerOf(caller)
  const seesAll = viewer.viewsAll && seesEverything(viewer.scope)
  return list({
    from: (on, { viewer, ...filters }) => filteredEvents(on, viewer, filters, query.has),
    once: { name: 'events', values: { viewer, ...filters } },
    orders: { timestamp: ['events.timestamp'], id: [] },
    id: 'events.id',
    paging: {
      ...query,
      from: from === undefined ? undefined : new Date(from).toISOString(),
      to: to === undefined ? undefined : new Date(to).toISOString(),
    },
    scans: !(seesAll && isUnfiltered(filters)),
    views: async (ids) => eventViews({ caller, db }, await eventsInOrder(db, ids)),
    path: '/events',
  })
}
