import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Counted, type NatScope, totalOfCounted } from '#lib/cloud/nat/counts.server'
import { countedStates, ipIds, requireNarrowed } from '#lib/cloud/nat/ip-filters.server'
import type { NatIpStates } from '#lib/cloud/nat/ips.schema'
import type { PlaceFilters, PlacePath } from '#lib/cloud/nat/networks.server'

/**
 * How many IPs of a network, of a datacenter or of all visible datacenters are in each state: from stored totals. Callers who do not see all enterprises
 * get the number of attached IPs that they see, counted by an index, and not the number of free ones.
 */
export async function readIpStates({
  params,
  query,
  ...context
}: ReadContext & { params: PlacePath; query: PlaceFilters }): Promise<NatIpStates> {
  const { db, caller } = context
  const place = await requireNarrowed(context, params, query)
  const total = (counted: Counted) => totalOfCounted(db, place, counted)
  const seesAll = caller.scope.allEnterprises
  return {
    links: [],
    ips: await total('ips'),
    ...(seesAll && { free: await total(countedStates.free) }),
    attached: seesAll ? await total(countedStates.attached) : await countAttached(context, place),
    quarantine: await total(countedStates.quarantine),
    unavailable: await total(countedStates.unavailable),
  }
}

async function countAttached({ db, caller }: ReadContext, place: NatScope): Promise<number> {
  const { rows } = await ipIds(db, caller, place, { has: '', all: true, snatdefault: false, attached: true })
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}
