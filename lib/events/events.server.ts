import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Caller, can } from '#lib/auth/privileges'
import type { Db } from '#lib/db/db.server'
import { hasText, inOrderOf, list } from '#lib/db/page.server'
import type { Tables } from '#lib/db/tables'
import type { Change, EntityType, EventQuery, EventView } from '#lib/events/events.schema'
import { ApiError } from '#lib/http/errors'
import type { Listing } from '#lib/http/render.server'
import type { Asked } from '#lib/http/spec'
import { type LinkDocument, link, type MediaName } from '#lib/http/view'
import { seesDatacenter, seesEnterprise, seesScope } from '#lib/scopes/visibility.server'

/** An event is seen by who sees its user's enterprise and what it is about; one of nobody known by who sees everything. */
const visibleEvents = (db: Db, caller: Caller) =>
  db
    .selectFrom('events')
    .where(
      can(caller, ['EVENTLOG_VIEW_ALL'])
        ? seesActor(caller)
        : sql<boolean>`events.enterprise_id = ${caller.enterpriseId}`,
    )
    .where(orNone('events.about_enterprise_id', seesEnterprise(caller, 'events.about_enterprise_id')))
    .where(orNone('events.about_datacenter_id', seesDatacenter(caller, 'events.about_datacenter_id')))
    .where(orNone('events.about_scope_id', seesScope(caller, 'events.about_scope_id')))

const seesActor = (caller: Caller): RawBuilder<SqlBool> =>
  caller.scope.allEnterprises ? sql`1 = 1` : seesEnterprise(caller, 'events.enterprise_id')

const orNone = (column: string, visible: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`(${sql.ref(column)} is null or ${visible})`

type EventRow = Omit<Tables['events'], 'id' | 'entity_key'> & { id: number; enterprise_name: string | null }

const rowsOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('events')
    .leftJoin('enterprises', 'enterprises.id', 'events.enterprise_id')
    .where('events.id', 'in', ids)
    .selectAll('events')
    .select('enterprises.name as enterprise_name')

const eventView = (row: EventRow): EventView => ({
  links: [link('self', `/events/${row.id}`, 'event'), ...actorLinks(row), ...entityLink(row)],
  id: row.id,
  timestamp: new Date(row.timestamp).toISOString(),
  action: row.action,
  entityType: row.entity_type as EntityType,
  ...(row.entity_id !== null && { entityId: row.entity_id }),
  entityName: row.entity_name,
  changes: new Map(Object.entries(JSON.parse(row.changes) as Record<string, Change>)),
  ...(row.user_nick !== null && { user: row.user_nick }),
  ...(row.enterprise_name !== null && { enterprise: row.enterprise_name }),
  requestId: row.request_id,
  ip: row.ip,
})

function actorLinks({ user_id, user_nick, enterprise_id, enterprise_name }: EventRow): LinkDocument[] {
  if (enterprise_id === null || enterprise_name === null) return []
  const enterprise = `/admin/enterprises/${enterprise_id}`
  return [
    ...(user_id === null ? [] : [link('user', `${enterprise}/users/${user_id}`, 'user', user_nick ?? '')]),
    link('enterprise', enterprise, 'enterprise', enterprise_name),
  ]
}

/** What was deleted has no address any more. */
const entityLink = ({ entity_type, entity_name, entity_path, action }: EventRow): LinkDocument[] =>
  entity_path === null || action === 'delete'
    ? []
    : [link('entity', entity_path, entity_type as MediaName, entity_name)]

/** Throws EVENT-0. */
export async function readEvent({
  caller,
  db,
  params,
}: Asked & { params: { event: number } }): Promise<EventView> {
  const seen = await visibleEvents(db, caller)
    .where('events.id', '=', params.event)
    .select('id')
    .executeTakeFirst()
  const row = seen && (await rowsOf(db, [seen.id]).executeTakeFirst())
  if (!row) throw new ApiError('EVENT-0')
  return eventView(row)
}

/** Ids of users and enterprises that are not visible find nothing. */
export const listEvents = (
  { caller, db }: Asked,
  { user, enterprise, entity, entityid, action, from, to, ...paging }: EventQuery,
): Promise<Listing> =>
  list({
    from: (on) =>
      visibleEvents(on, caller)
        .$if(user !== undefined, (rows) => rows.where('events.user_id', '=', user ?? 0))
        .$if(enterprise !== undefined, (rows) => rows.where('events.enterprise_id', '=', enterprise ?? 0))
        .$if(entity !== undefined, (rows) => rows.where('events.entity_type', '=', entity ?? ''))
        .$if(entityid !== undefined, (rows) => rows.where('events.entity_id', '=', entityid ?? 0))
        .$if(action !== undefined, (rows) => rows.where('events.action', '=', action ?? ''))
        .$if(from !== undefined, (rows) => rows.where('events.timestamp', '>=', from ?? 0))
        .$if(to !== undefined, (rows) => rows.where('events.timestamp', '<=', to ?? 0))
        .where(hasText('events.entity_key', paging.has))
        .select('events.id'),
    orders: { timestamp: ['events.timestamp'], id: [] },
    id: 'events.id',
    paging,
    views: async (ids) => {
      const rows = await rowsOf(
        db,
        ids.map(({ id }) => id),
      ).execute()
      return inOrderOf(ids, rows).map(eventView)
    },
    path: '/events',
    filters: {
      user,
      enterprise,
      entity,
      entityid,
      action,
      from: from === undefined ? undefined : new Date(from).toISOString(),
      to: to === undefined ? undefined : new Date(to).toISOString(),
    },
  })
