import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import { type Db, database } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { hasText } from '#lib/db/list.server'
import { gather } from '#lib/http/errors'
import { findVirtualDatacenter } from '#lib/infrastructure/virtual-datacenters.server'
import type { Counted, Place } from '#lib/nat/counts.server'
import type { IpFilters } from '#lib/nat/ips.schema'
import { requirePlace } from '#lib/nat/networks.server'
import { requireEnterprise, seesEnterprise, type Visibility } from '#lib/scopes/visibility.server'

/* Which NAT IPs a list is about. */

type Condition = RawBuilder<SqlBool>

const any: Condition = sql`1 = 1`

/** The place that the filters leave of this one. Throws DC-0, NAT-NET-1, EN-0, VDC-0, whichever apply. */
export async function requireNarrowed(
  asked: ReadContext,
  place: Place,
  { network, enterprise, virtualdatacenter }: Partial<IpFilters>,
): Promise<Place> {
  const narrowed = { ...place, ...(network !== undefined && { network }) }
  await gather(
    requirePlace(asked, narrowed),
    ...(enterprise === undefined ? [] : [requireEnterprise(asked, enterprise)]),
    ...(virtualdatacenter === undefined ? [] : [findVirtualDatacenter(asked, virtualdatacenter)]),
  )
  return narrowed
}

/** Written out, not bound: partial indexes serve these. */
const flagIs = (
  column: 'available' | 'quarantine' | 'default_snat',
  wanted: boolean | undefined,
): Condition =>
  wanted === undefined ? any : sql`${sql.ref(`nat_ips.${column}`)} = ${sql.lit(wanted ? 1 : 0)}`

type Holders = Pick<IpFilters, 'enterprise' | 'virtualdatacenter'>

/** Whether the IP is held by a virtual datacenter of this datacenter that the caller sees and that the filters name. */
const heldBy = (
  caller: Visibility,
  { datacenter }: Place,
  { enterprise, virtualdatacenter }: Holders,
): Condition =>
  sql`(nat_ips.virtual_datacenter_id is not null and nat_ips.virtual_datacenter_id in (
    select virtual_datacenters.id from virtual_datacenters where virtual_datacenters.datacenter_id = ${datacenter}
    and ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')}
    and ${enterprise === undefined ? any : sql`virtual_datacenters.enterprise_id = ${enterprise}`}
    and ${virtualdatacenter === undefined ? any : sql`virtual_datacenters.id = ${virtualdatacenter}`}))`

/** True if a virtual datacenter visible to the caller holds the IP. */
export const isAttached = (caller: Visibility, place: Place): Condition =>
  caller.scope.allEnterprises ? sql`nat_ips.virtual_datacenter_id is not null` : heldBy(caller, place, {})

function attachedIs(caller: Visibility, place: Place, wanted: boolean | undefined): Condition {
  if (wanted === undefined) return any
  if (wanted) return isAttached(caller, place)
  return caller.scope.allEnterprises
    ? sql`nat_ips.virtual_datacenter_id is null`
    : sql`not ${isAttached(caller, place)}`
}

/** The few IPs of these ids, or those of certain holders, are found by these, not by where they are: the sign before a column keeps its indexes out of it. */
const locatedIn = (
  caller: Visibility,
  place: Place,
  filters: IpFilters,
  few: readonly number[] | undefined,
): Condition[] => {
  const { datacenter, network } = place
  const isHeld = filters.enterprise !== undefined || filters.virtualdatacenter !== undefined
  const ofNetwork = (column: RawBuilder<unknown>) =>
    network === undefined ? any : sql<SqlBool>`${column} = ${network}`
  if (!isHeld && !few)
    return [sql`nat_ips.datacenter_id = ${datacenter}`, ofNetwork(sql`nat_ips.nat_network_id`)]
  return [
    few ? isAmong(database().engine, 'nat_ips.id', few) : any,
    isHeld ? heldBy(caller, place, filters) : sql`+nat_ips.datacenter_id = ${datacenter}`,
    ofNetwork(sql`+nat_ips.nat_network_id`),
  ]
}

/** Without a word on it only those that are available. */
const availabilityOf = ({ all, available }: IpFilters): boolean | undefined =>
  available ?? (all ? undefined : true)

/** The ids of a place's NAT IPs that pass the filters: what a page is found by. */
export const ipIds = (
  db: Db,
  caller: Visibility,
  place: Place,
  filters: IpFilters,
  few?: readonly number[],
) =>
  db
    .selectFrom('nat_ips')
    .where((on) =>
      on.and([
        ...locatedIn(caller, place, filters, few),
        flagIs('available', availabilityOf(filters)),
        flagIs('quarantine', filters.quarantine),
        flagIs('default_snat', filters.snatdefault || undefined),
        attachedIs(caller, place, filters.attached),
        hasText('nat_ips.ip', filters.has),
      ]),
    )
    .select('nat_ips.id')

/** What of the kept totals counts them; undefined where none does. */
export function ipsCounted(caller: Visibility, filters: IpFilters): Counted | undefined {
  const { has, quarantine, attached, enterprise, virtualdatacenter, snatdefault } = filters
  const available = availabilityOf(filters)
  const others = [has || undefined, quarantine, enterprise, virtualdatacenter]
  if (others.some((filter) => filter !== undefined)) return undefined
  if (attached !== undefined) {
    if (available !== undefined || snatdefault || !caller.scope.allEnterprises) return undefined
    return attached ? 'used_ips' : 'ips - used_ips'
  }
  if (snatdefault) {
    if (available === undefined) return 'default_snat_ips'
    return available ? 'available_default_snat_ips' : 'default_snat_ips - available_default_snat_ips'
  }
  if (available === undefined) return 'ips'
  return available ? 'available_ips' : 'ips - available_ips'
}
