import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import {
  holdsOneOf,
  seesTheDatacenter,
  seesTheEnterprise,
  seesTheScope,
} from '#lib/caller/scopes/holders.server'
import { findEvent } from '#lib/record/events/events.server'
import { latestPlaces } from '#lib/record/events/places.server'

type Path = { event: number }
type Condition = RawBuilder<SqlBool>
type Event = Awaited<ReturnType<typeof findEvent>>

const unlessNone = (id: number | null, of: (id: number) => Condition): Condition[] => (id ? [of(id)] : [])

/** The user or the role that can have moved since the event. A plan is where its maker is. */
function movingOf({
  entity_type: type,
  entity_id,
  entity_path,
  user_id,
}: Event): { type: string; id: number }[] {
  if (type === 'user' || type === 'role') return [{ type, id: entity_id ?? 0 }]
  if (type === 'plan') return [{ type: 'user', id: user_id ?? 0 }]
  const owner = /\/users\/(\d+)\//.exec(entity_path ?? '')?.[1]
  return owner && (type === 'application' || type === 'accesstoken')
    ? [{ type: 'user', id: Number(owner) }]
    : []
}

/** The users who see the event: the inverse of `visibleEvents`. */
async function seesTheEvent(context: ReadContext, { event: id }: Path): Promise<Condition> {
  const event = await findEvent(context, id)
  const moving = movingOf(event)
  const latest = await latestPlaces(context.db, moving)
  const conditions = [
    mayRead(event),
    ...unlessNone(event.about_enterprise_id, seesTheEnterprise),
    ...unlessNone(event.was_enterprise_id, seesTheEnterprise),
    ...unlessNone(event.about_datacenter_id, seesTheDatacenter),
    ...unlessNone(event.about_scope_id, seesTheScope),
    ...moving.flatMap((thing) => unlessNone(latest(thing)?.enterprise ?? null, seesTheEnterprise)),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

const places = ['about_enterprise_id', 'was_enterprise_id', 'about_datacenter_id', 'about_scope_id'] as const

/** The users who may read it, and hold EVENTLOG_VIEW_ENTERPRISE or EVENTLOG_VIEW_ALL: the inverse of `mayRead`. */
function mayRead(event: Event): Condition {
  const seesAll = holdsOneOf(['EVENTLOG_VIEW_ALL'])
  if (places.every((place) => event[place] === null))
    return sql`((holding.all_enterprises = 1 and ${seesAll}) or users.id = ${event.user_id})`
  const own = [event.enterprise_id, event.about_enterprise_id, event.was_enterprise_id]
  const ids = own.filter((id) => id !== null)
  return ids.length === 0 ? seesAll : sql`(${seesAll} or users.enterprise_id in (${sql.join(ids)}))`
}

/** An event, which the handler finds. */
export const eventTarget = {
  ids: { event: 'EVENT-0' },
  seen: (context: ReadContext, { event }: Path) => findEvent(context, event),
  seenBy: seesTheEvent,
} as const
