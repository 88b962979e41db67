import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import { type Db, database } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { gather } from '#lib/http/errors'
import type { Counted, Place } from '#lib/nat/counts.server'
import { requirePlace } from '#lib/nat/networks.server'
import type { RuleQuery } from '#lib/nat/rules.schema'
import { requireEnterprise, requireMachine } from '#lib/scopes/visibility.server'

/* Which NAT rules a list is about. */

type Filters = Pick<RuleQuery, 'snat' | 'protocol' | 'network' | 'enterprise' | 'virtualmachine'>

/** The place that the filters leave of this one. Throws DC-0, NAT-NET-1, EN-0, VM-0, whichever apply. */
export async function requireNarrowed(
  asked: ReadContext,
  place: Place,
  { network, enterprise, virtualmachine }: Filters,
): Promise<Place> {
  const narrowed = { ...place, ...(network !== undefined && { network }) }
  await gather(
    requirePlace(asked, narrowed),
    ...(enterprise === undefined ? [] : [requireEnterprise(asked, enterprise)]),
    ...(virtualmachine === undefined ? [] : [requireMachine(asked, virtualmachine)]),
  )
  return narrowed
}

type Condition = RawBuilder<SqlBool>

const any: Condition = sql`1 = 1`

/** The few rules of these ids, or those of certain machines, are found by these, not by where they are: the sign before a column keeps its indexes out of it. */
function locatedIn(
  { datacenter, network }: Place,
  { enterprise, virtualmachine }: Filters,
  few: readonly number[] | undefined,
): Condition[] {
  if (enterprise === undefined && virtualmachine === undefined && !few)
    return [
      sql`nat_rules.datacenter_id = ${datacenter}`,
      network === undefined ? any : sql`nat_rules.nat_network_id = ${network}`,
    ]
  return [
    few ? isAmong(database().engine, 'nat_rules.id', few) : any,
    sql`+nat_rules.datacenter_id = ${datacenter}`,
    network === undefined ? any : sql`+nat_rules.nat_network_id = ${network}`,
    virtualmachine === undefined ? any : sql`nat_rules.virtual_machine_id = ${virtualmachine}`,
    enterprise === undefined
      ? any
      : sql`nat_rules.virtual_machine_id in
          (select virtual_machines.id from virtual_machines where virtual_machines.enterprise_id = ${enterprise})`,
  ]
}

/** The ids of a place's NAT rules that pass the filters, of either kind: what a page is found by. */
export const ruleIds = (db: Db, place: Place, filters: Filters, few?: readonly number[]) =>
  db
    .selectFrom('nat_rules')
    .where((on) =>
      on.and([
        ...locatedIn(place, filters, few),
        filters.protocol === undefined ? any : sql<boolean>`nat_rules.protocol = ${filters.protocol}`,
      ]),
    )
    .select('nat_rules.id')

/** What of the kept totals counts them; undefined where none does. */
export function rulesCounted(query: RuleQuery): Counted | undefined {
  const { has, protocol, enterprise, virtualmachine, snat } = query
  if ([has || undefined, protocol, enterprise, virtualmachine].some((filter) => filter !== undefined))
    return undefined
  if (snat !== undefined) return snat ? 'snat_rules' : 'dnat_rules'
  return 'snat_rules + dnat_rules'
}
