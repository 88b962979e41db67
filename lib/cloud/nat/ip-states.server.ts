import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { NatScope } from '#lib/cloud/nat/counts.server'
import {
  availabilityOf,
  countIps,
  ipIds,
  ipsCounted,
  requireNarrowed,
  stateIs,
} from '#lib/cloud/nat/ip-filters.server'
import { ipsWithWord } from '#lib/cloud/nat/ip-words.server'
import type { IpStatesQuery, NatIpState, NatIpStates } from '#lib/cloud/nat/ips.schema'
import type { PlacePath } from '#lib/cloud/nat/networks.server'
import { countWithin } from '#lib/cloud/nat/positions.server'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { database } from '#lib/db/db.server'
import { boundsOf, type KeyBounds } from '#lib/ground/net/addresses'

/**
 * How many IPs of the list with the same filters are in each state. Callers who do not see all enterprises get the number of attached IPs that
 * they see, and not the number of free ones.
 */
export async function readIpStates({
  params,
  query,
  ...context
}: ReadContext & { params: PlacePath; query: IpStatesQuery }): Promise<NatIpStates> {
  const place = await requireNarrowed(context, params, query)
  const { allEnterprises } = context.caller.scope
  const isStored = ipsCounted(context.caller, query) === 'ips'
  const { ips, free, ...counts } = await (isStored ? storedCounts : countedInOnePass)(context, place, query)
  return { links: [], ips, ...(allEnterprises && { free }), ...counts }
}

type Counts = Omit<NatIpStates, 'links' | 'free'> & { free: number }

/** From stored totals. Callers who do not see all enterprises have their attached IPs counted by an index. */
async function storedCounts(
  { caller, db }: ReadContext,
  place: NatScope,
  query: IpStatesQuery,
): Promise<Counts> {
  const total = (state?: NatIpState): Promise<number> => {
    const filters = { ...query, state }
    const counted = ipsCounted(caller, filters)
    const count = (bounds: KeyBounds) =>
      countIps(db, { visibility: visibilityOf(caller), place, filters, bounds })
    const bounds = boundsOf(query.within)
    return counted ? countWithin(db, { place, counted }, bounds, count) : count(bounds)
  }
  return {
    ips: await total(),
    free: caller.scope.allEnterprises ? await total('free') : 0,
    attached: await total('attached'),
    quarantine: await total('quarantine'),
    unavailable: await total('unavailable'),
  }
}

/** The filtered rows are read once for all states. */
async function countedInOnePass(
  { caller }: ReadContext,
  place: NatScope,
  query: IpStatesQuery,
): Promise<Counts> {
  const visibility = visibilityOf(caller)
  const candidates = query.has === '' ? undefined : await ipsWithWord('nat_ips', query.has)
  const none = { ips: 0, free: 0, attached: 0, quarantine: 0, unavailable: 0 }
  if (candidates?.length === 0) return none
  const { scan } = database()
  const countOf = (conditions: readonly RawBuilder<SqlBool>[]) =>
    sql<number>`coalesce(sum(case when ${sql.join(conditions, sql` and `)} then 1 else 0 end), 0)`
  const inState = (state: NatIpState) => countOf(stateIs(visibility, place, state)).as(state)
  const shown = availabilityOf(query) === true ? sql<SqlBool>`nat_ips.available = 1` : sql<SqlBool>`1 = 1`
  const counts = ipIds(scan, visibility, place, { ...query, all: true }, candidates)
    .clearSelect()
    .select([
      countOf([shown]).as('ips'),
      inState('free'),
      inState('attached'),
      inState('quarantine'),
      inState('unavailable'),
    ])
  return cachedUntilWrite(
    counts.compile(),
    () => 0,
    async () => {
      const row = await counts.executeTakeFirstOrThrow()
      return {
        ips: Number(row.ips),
        free: Number(row.free),
        attached: Number(row.attached),
        quarantine: Number(row.quarantine),
        unavailable: Number(row.unavailable),
      }
    },
  )
}
