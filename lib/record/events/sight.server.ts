import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Caller, can } from '#lib/caller/auth/privileges'
import {
  seesDatacenter,
  seesEnterprise,
  seesScope,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'

/*
 * Who sees an event (docs/api.md, "Events"). Lists, streams, webhooks, summaries, documents, rows and undos all ask here.
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

/** The conditions for `visibleEvents`. */
export const seesEvents = (caller: Viewer): Condition[] => [
  mayRead(caller),
  orNone('events.about_enterprise_id', seesEnterprise(caller, 'events.about_enterprise_id')),
  orNone('events.was_enterprise_id', seesEnterprise(caller, 'events.was_enterprise_id')),
  orNone('events.about_datacenter_id', seesDatacenter(caller, 'events.about_datacenter_id')),
  orNone('events.about_scope_id', seesScope(caller, 'events.about_scope_id')),
  ...(caller.scope.allEnterprises ? [] : [isNotMovedAway(caller)]),
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

/** Users, their applications and access tokens, and roles can move to other enterprises after the event. */
const isNotMovedAway = (caller: Visibility): Condition => sql`case events.entity_type
  when 'user' then not exists (${hiddenUser(caller, 'events.entity_id')})
  when 'application' then not exists (select 1 from applications where applications.id = events.entity_id
    and exists (${hiddenUser(caller, 'applications.user_id')}))
  when 'accesstoken' then not exists (select 1 from access_tokens where access_tokens.id = events.entity_id
    and exists (${hiddenUser(caller, 'access_tokens.user_id')}))
  when 'role' then not exists (select 1 from roles where roles.id = events.entity_id
    and roles.enterprise_id is not null and not ${seesEnterprise(caller, 'roles.enterprise_id')})
  else 1 = 1 end`

const hiddenUser = (caller: Visibility, column: string): RawBuilder<unknown> => sql`select 1 from users
  where users.id = ${sql.ref(column)} and not ${seesEnterprise(caller, 'users.enterprise_id')}`

/** The caller sees the user who made the change, in their enterprise at that time and now. */
export const seesActor = (caller: Visibility): Condition =>
  caller.scope.allEnterprises
    ? sql`1 = 1`
    : sql`(${seesEnterprise(caller, 'events.enterprise_id')} and not exists (${hiddenUser(caller, 'events.user_id')}))`

const orNone = (column: string, visible: Condition): Condition =>
  sql`(${sql.ref(column)} is null or ${visible})`
