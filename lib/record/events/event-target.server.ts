import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import {
  holdsOneOf,
  seesTheDatacenter,
  seesTheEnterprise,
  seesTheScope,
} from '#lib/caller/scopes/holders.server'
import { findEvent } from '#lib/record/events/events.server'
import { currentPlaces } from '#lib/record/events/places.server'

type Path = { event: number }
type Condition = RawBuilder<SqlBool>

const unlessNone = (id: number | null, of: (id: number) => Condition): Condition[] => (id ? [of(id)] : [])

/** The users who see the event: the inverse of `visibleEvents`. */
async function seesTheEvent(context: ReadContext, { event: id }: Path): Promise<Condition> {
  const event = await findEvent(context, id)
  const moved = await currentPlaces(context.db, [{ type: event.entity_type, id: event.entity_id ?? 0 }])
  const present = ['user', 'application', 'accesstoken', 'role'].includes(event.entity_type)
    ? moved({ type: event.entity_type, id: event.entity_id ?? 0 })?.enterprise
    : undefined
  const conditions = [
    seesActor(event),
    ...unlessNone(event.about_enterprise_id, seesTheEnterprise),
    ...unlessNone(event.was_enterprise_id, seesTheEnterprise),
    ...unlessNone(event.about_datacenter_id, seesTheDatacenter),
    ...unlessNone(event.about_scope_id, seesTheScope),
    ...unlessNone(present ?? null, seesTheEnterprise),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

type Actor = Pick<
  Awaited<ReturnType<typeof findEvent>>,
  'enterprise_id' | 'user_id' | (typeof places)[number]
>

const places = ['about_enterprise_id', 'was_enterprise_id', 'about_datacenter_id', 'about_scope_id'] as const

function seesActor(event: Actor): Condition {
  const { enterprise_id: enterprise, user_id: user } = event
  const seesAll = holdsOneOf(['EVENTLOG_VIEW_ALL'])
  const seesAllEnterprises = sql<SqlBool>`(holding.all_enterprises = 1 and ${seesAll})`
  if (enterprise === null) return seesAllEnterprises
  const sees = sql<SqlBool>`(users.enterprise_id = ${enterprise} or (${seesTheEnterprise(enterprise)} and ${seesAll}))`
  if (places.some((place) => event[place] !== null)) return sees
  return sql`(${seesAllEnterprises} or (users.id = ${user} and ${sees}))`
}

/** An event, which the handler finds. */
export const eventTarget = {
  ids: { event: 'EVENT-0' },
  seen: (context: ReadContext, { event }: Path) => findEvent(context, event),
  seenBy: seesTheEvent,
} as const
