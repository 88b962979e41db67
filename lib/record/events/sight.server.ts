import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  hasMovedAway,
  seesDatacenter,
  seesEnterprise,
  seesScope,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import { type Db, database } from '#lib/db/db.server'
import { numberAfter } from '#lib/db/dialect.server'

/*
 * Who sees an event (docs/api/events.md, "Events"). Lists, streams, webhooks, summaries, documents, rows and undos all ask here.
 */

type Condition = RawBuilder<SqlBool>

/** The changed resource is in an enterprise, in a datacenter, or a scope. */
const hasPlace = sql<boolean>`coalesce(events.about_enterprise_id, events.was_enterprise_id,
  events.about_datacenter_id, events.about_scope_id) is not null`

/** The part of a caller that decides which events they see. */
export type Viewer = Visibility & { id: number; viewsAll: boolean }

export const viewerOf = (caller: Caller): Viewer => ({
  ...visibilityOf(caller),
  id: caller.id,
  viewsAll: can(caller, ['EVENTLOG_VIEW_ALL']),
})

/** The conditions for `visibleEvents`, and for rows with the same places. */
export const seesEvents = (
  caller: Viewer,
  path: RawBuilder<unknown> = sql.ref('events.entity_path'),
): Condition[] => [
  mayRead(caller),
  ...seesPlaces(caller),
  ...(caller.scope.allEnterprises ? [] : [isNotMovedAway(caller, path)]),
]

/** The caller sees the places of the changed resource. */
export const seesPlaces = (caller: Visibility): Condition[] => [
  orNone('events.about_enterprise_id', seesEnterprise(caller, 'events.about_enterprise_id')),
  orNone('events.was_enterprise_id', seesEnterprise(caller, 'events.was_enterprise_id')),
  orNone('events.about_datacenter_id', seesDatacenter(caller, 'events.about_datacenter_id')),
  orNone('events.about_scope_id', seesScope(caller, 'events.about_scope_id')),
]

/** Callers see an event if they may read it and see every place of the changed resource: before the change, after it, and now. */
export const visibleEvents = (db: Db, caller: Viewer) =>
  db.selectFrom('events').where(({ and }) => and(seesEvents(caller)))

/**
 * EVENTLOG_VIEW_ALL reads all events; without it, callers read those by users of their enterprise, and those about the enterprise or
 * what belongs to it. An event without a place is for EVENTLOG_VIEW_ALL with sight of all enterprises, and for the user who made the
 * change.
 */
function mayRead({ viewsAll, scope, enterpriseId: own, id }: Viewer): Condition {
  if (viewsAll) return scope.allEnterprises ? sql`1 = 1` : sql`(${hasPlace} or events.user_id = ${id})`
  // Each alternative has an index.
  return sql`((events.enterprise_id = ${own} and ${hasPlace}) or events.about_enterprise_id = ${own}
    or (events.was_enterprise_id = ${own} and events.was_enterprise_id <> events.about_enterprise_id)
    or (events.user_id = ${id} and not ${hasPlace}))`
}

/**
 * Users, with their applications and access tokens, and roles can move to other enterprises after the event. `path` is that of the changed
 * resource: which user a removed access token had is nowhere else.
 */
const isNotMovedAway = (caller: Visibility, path: RawBuilder<unknown>): Condition => sql`case
  when events.entity_type = 'user' then not ${hasMovedAway(caller, kinds.user, 'events.entity_id')}
  when events.entity_type = 'plan' then not ${hasMovedAway(caller, kinds.user, 'events.user_id')}
  when events.entity_type = 'role' then not ${hasMovedAway(caller, kinds.role, 'events.entity_id')}
  when events.entity_type in ('application', 'accesstoken')
    then not ${hasMovedAway(caller, kinds.user, numberAfter(database().engine, path, '/users/'))}
  else 1 = 1 end`

/** The caller sees the user who made the change, in their enterprise at that time and now. */
export const seesActor = (caller: Visibility): Condition =>
  caller.scope.allEnterprises
    ? sql`1 = 1`
    : sql`(${seesEnterprise(caller, 'events.enterprise_id')} and not ${hasMovedAway(caller, kinds.user, 'events.user_id')})`

const orNone = (column: string, visible: Condition): Condition =>
  sql`(${sql.ref(column)} is null or ${visible})`
