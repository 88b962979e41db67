import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import {
  holdsOneOf,
  seesTheDatacenter,
  seesTheEnterprise,
  seesTheScope,
} from '#lib/caller/scopes/holders.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import type { Listing } from '#lib/ground/http/render.server'
import { listHolders } from '#lib/people/identity/users.server'
import { currentPlaces } from '#lib/record/events/places.server'
import type { EventPlace } from '#lib/record/events/stored'
import type { WhoQuery } from '#lib/request/access/access.schema'
import { type Asked, askedOperation, atMoment, pastOf } from '#lib/request/access/asked.server'
import { requireSight } from '#lib/request/access/explain.server'
import type { Operation } from '#lib/request/pipeline/spec.server'

type Condition = RawBuilder<SqlBool>

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`

/** The users to whom the operation is granted (`explainAccess`), by one query. Throws 404 for resources that the caller does not see. */
export async function listWhoMay({ query, ...context }: ReadContext & { query: WhoQuery }): Promise<Listing> {
  const { method, path } = query
  if (path === '') throw new ApiError(fault('CONSTR-NOTNULL', 'path must not be missing', 'path'))
  const asked = await askedOperation(method, path)
  if (asked !== 'open') await requireSight(asked, context)
  const condition = asked === 'open' ? all([]) : all([maySignIn(asked.spec), await mayUse(asked, context)])
  return listHolders(context, { condition, paging: query, path: '/access/action/who' })
}

const owesNothing: Condition = sql`(enterprises.two_factor_mandatory = 0 or users.auth_type = 'SERVICE'
  or (users.two_factor_provider is not null and users.two_factor_began_by is null))`

const maySignIn = ({ who: { despiteDuty } }: Operation): Condition =>
  all([sql`users.active = 1 and users.locked = 0`, ...(despiteDuty === 'anywhere' ? [] : [owesNothing])])

/** Users with the privilege who see the resources in the path. */
async function mayUse(asked: Asked, context: ReadContext): Promise<Condition> {
  const past = await pastOf(asked, context)
  return all([
    mayCall(asked),
    await see(asked, context),
    ...(past
      ? [mayCall(past.asked), await atMoment(context, past.moment, (then) => see(past.asked, then))]
      : []),
  ])
}

function mayCall({ spec: { who }, segments }: Asked): Condition {
  if (who.anyOf === 'user') return all([])
  const own = { user: 'users.id', enterprise: 'users.enterprise_id' }
  const { orOwn, alsoAnyOf } = who
  const holds = all([holdsOneOf(who.anyOf), ...(alsoAnyOf ? [holdsOneOf(alsoAnyOf)] : [])])
  return orOwn ? sql`(${holds} or ${sql.ref(own[orOwn])} = ${Number(segments[orOwn])})` : holds
}

/** Kinds that are seen by the places of their path alone. */
const inPlaces = new Set(['virtualmachinetemplate'])

async function see({ spec: { target }, params }: Asked, context: ReadContext): Promise<Condition> {
  if (target?.seenBy) return target.seenBy(context, params)
  const things = Object.entries(params)
    .filter(([type, id]) => id !== ANY_ID && !inPlaces.has(type))
    .map(([type, id]) => ({ type, id }))
  const placeOf = await currentPlaces(context.db, things)
  return all(things.flatMap((thing) => seesThePlace(placeOf(thing) ?? {})))
}

const seesThePlace = ({ enterprise, datacenter, scope }: EventPlace): Condition[] => [
  ...(enterprise === undefined ? [] : [seesTheEnterprise(enterprise)]),
  ...(datacenter === undefined ? [] : [seesTheDatacenter(datacenter)]),
  ...(scope === undefined ? [] : [seesTheScope(scope)]),
]
