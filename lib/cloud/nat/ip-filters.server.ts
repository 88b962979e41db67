import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import {
  requireEnterprise,
  seenWithHolder,
  seesEnterprise,
  type Visibility,
} from '#lib/caller/scopes/visibility.server'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { type Counted, isWithin, type NatScope } from '#lib/cloud/nat/counts.server'
import { hasIpTags } from '#lib/cloud/nat/ip-notes.server'
import type { IpFilters, NatIpState } from '#lib/cloud/nat/ips.schema'
import { isBetween } from '#lib/cloud/nat/long-list.server'
import { type PlaceFilters, type PlacePath, requirePlace } from '#lib/cloud/nat/networks.server'
import { changedAs, type SeenColumns, seesAmong } from '#lib/db/changed.server'
import { type Db, database } from '#lib/db/db.server'
import { isAmong, textIn } from '#lib/db/dialect.server'
import { hasText } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { about, gather } from '#lib/ground/http/errors'
import { comparedTo } from '#lib/ground/http/paging'
import { addressKey, boundsOf, type KeyBounds, parseAddress } from '#lib/ground/net/addresses'

/* The filters of lists of NAT IPs. */

type Condition = RawBuilder<SqlBool>

const any: Condition = sql`1 = 1`

/** The place of the path, limited by the filters. Throws DC-0, NAT-NET-1, EN-0 and VDC-0 for resources that the caller does not see. */
export async function requireNarrowed(
  context: ReadContext,
  path: PlacePath,
  { enterprise, virtualdatacenter, ...filters }: PlaceFilters & Holders,
): Promise<NatScope> {
  const [place] = await gather(
    requirePlace(context, path, filters),
    ...(enterprise === undefined ? [] : [about('enterprise', requireEnterprise(context, enterprise))]),
    ...(virtualdatacenter === undefined ? [] : [findVirtualDatacenter(context, virtualdatacenter)]),
  )
  return place
}

/** Literals, not parameters, so that the planner can use the partial indexes. */
const flagIs = (
  column: 'available' | 'quarantine' | 'default_snat',
  wanted: boolean | undefined,
): Condition =>
  wanted === undefined ? any : sql`${sql.ref(`nat_ips.${column}`)} = ${sql.lit(wanted ? 1 : 0)}`

type Holders = Partial<Pick<IpFilters, 'enterprise' | 'virtualdatacenter'>>

/** True if a visible virtual datacenter that matches the filters holds the IP. */
const heldBy = (caller: Visibility, place: NatScope, { enterprise, virtualdatacenter }: Holders): Condition =>
  sql`(nat_ips.virtual_datacenter_id is not null and nat_ips.virtual_datacenter_id in (
    select virtual_datacenters.id from virtual_datacenters where ${isWithin(place, 'virtual_datacenters.datacenter_id')}
    and ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')}
    and ${enterprise === undefined ? any : sql`virtual_datacenters.enterprise_id = ${enterprise}`}
    and ${virtualdatacenter === undefined ? any : sql`virtual_datacenters.id = ${virtualdatacenter}`}))`

/** True if a virtual datacenter visible to the caller holds the IP. */
export const isAttached = (caller: Visibility, place: NatScope): Condition =>
  caller.scope.allEnterprises ? sql`nat_ips.virtual_datacenter_id is not null` : heldBy(caller, place, {})

function attachedIs(caller: Visibility, place: NatScope, wanted: boolean | undefined): Condition {
  if (wanted === undefined) return any
  if (wanted) return isAttached(caller, place)
  return caller.scope.allEnterprises
    ? sql`nat_ips.virtual_datacenter_id is null`
    : sql`not ${isAttached(caller, place)}`
}

/** Finds IPs by id or holder if either is given, otherwise by place. The unary plus keeps SQLite from using an index on the column. */
const locatedIn = (
  caller: Visibility,
  place: NatScope,
  filters: IpFilters,
  candidates: readonly number[] | undefined,
): Condition[] => {
  const { network } = place
  const isHeld = filters.enterprise !== undefined || filters.virtualdatacenter !== undefined
  // The journal, and the index of ends, have fewer rows than the place.
  const isRecent = filters.changed?.startsWith('<') === true || filters.endsbefore !== undefined
  const ofNetwork = (column: RawBuilder<unknown>) =>
    network === undefined ? any : sql<SqlBool>`${column} = ${network}`
  // And so has the index of tags.
  if (!isHeld && !candidates && !isRecent && !filters.tag)
    return [
      isWithin(place, place.byAddress ? '+nat_ips.datacenter_id' : 'nat_ips.datacenter_id'),
      ofNetwork(sql`nat_ips.nat_network_id`),
    ]
  return [
    candidates ? isAmong(database().engine, 'nat_ips.id', candidates) : any,
    isHeld ? heldBy(caller, place, filters) : isWithin(place, '+nat_ips.datacenter_id'),
    ofNetwork(sql`+nat_ips.nat_network_id`),
  ]
}

/** The conditions of a state. */
export function stateIs(caller: Visibility, place: NatScope, state: NatIpState | undefined): Condition[] {
  if (state === 'free')
    return [flagIs('available', true), flagIs('quarantine', false), attachedIs(caller, place, false)]
  if (state === 'attached') return [attachedIs(caller, place, true)]
  if (state === 'quarantine') return [flagIs('quarantine', true)]
  return state === 'unavailable' ? [flagIs('available', false)] : []
}

function addressIs(address: string | undefined): Condition {
  const parsed = address === undefined ? undefined : parseAddress(address)
  return parsed ? sql`nat_ips.ip_key = ${addressKey(parsed.version, parsed.value)}` : any
}

/** True if the IP has more or fewer rules than this. The next rule beyond the bound decides, so none is counted. */
function rulesAre(rules: string | undefined): Condition {
  const { above, below } = comparedTo(rules)
  if (below === 0) return sql`1 = 0`
  const has = (count: number) =>
    sql<SqlBool>`exists (select 1 from nat_rules where nat_rules.nat_ip_id = nat_ips.id limit 1 offset ${count})`
  if (above !== undefined) return has(above)
  return below === undefined ? any : sql`not ${has(below - 1)}`
}

/** To callers who do not see its holder an IP has no end. */
const endsBefore = (caller: Visibility, place: NatScope, moment: string | undefined): Condition =>
  moment === undefined ? any : sql`nat_ips.ends_at < ${Date.parse(moment)} and ${isAttached(caller, place)}`

/** By default only available IPs. */
export const availabilityOf = ({ all, available, state }: IpFilters): boolean | undefined =>
  available ?? (all || state ? undefined : true)

/** A deleted virtual datacenter is seen as it last was. */
function seenColumns(caller: Visibility): SeenColumns | undefined {
  if (caller.scope.allEnterprises) return undefined
  const enterprise = sql`cast(${textIn(database().engine, 'past_rows.content', ['enterprise_id'])} as bigint)`
  const visible = sql`
    select virtual_datacenters.id from virtual_datacenters where ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')}
    union all select known.id from (
      select past_rows.id, ${enterprise} as enterprise_id from past_rows
      where past_rows.source = 'virtual_datacenters' and past_rows.content is not null
    ) known where ${seesEnterprise(caller, 'known.enterprise_id')}`
  return seenWithHolder(seesAmong(visible))
}

/** The ids of the NAT IPs of a place that match the filters. */
export const ipIds = (
  db: Db,
  caller: Visibility,
  place: NatScope,
  filters: IpFilters,
  candidates?: readonly number[],
) =>
  db
    .selectFrom('nat_ips')
    .where((on) =>
      on.and([
        ...locatedIn(caller, place, filters, candidates),
        ...stateIs(caller, place, filters.state),
        flagIs('available', availabilityOf(filters)),
        flagIs('quarantine', filters.quarantine),
        flagIs('default_snat', filters.snatdefault || undefined),
        attachedIs(caller, place, filters.attached),
        addressIs(filters.address),
        isBetween('nat_ips.ip_key', boundsOf(filters.within)),
        rulesAre(filters.rules),
        endsBefore(caller, place, filters.endsbefore),
        changedAs('nat_ips.id', filters.changed, seenColumns(caller)),
        hasText('nat_ips.ip', filters.has),
        hasIpTags(caller, filters.tag),
      ]),
    )
    .select('nat_ips.id')

/** The stored totals of the states. */
export const countedStates = {
  free: 'free_ips',
  attached: 'used_ips',
  quarantine: 'quarantine_ips',
  unavailable: 'ips - available_ips',
} as const satisfies Record<NatIpState, Counted>

/** The stored total that counts the filtered IPs, if there is one. */
export function ipsCounted(caller: Visibility, filters: IpFilters): Counted | undefined {
  const {
    has,
    address,
    rules,
    changed,
    quarantine,
    attached,
    enterprise,
    virtualdatacenter,
    snatdefault,
    tag,
  } = filters
  if (filters.endsbefore !== undefined) return undefined
  const available = availabilityOf(filters)
  const others = [has || undefined, address, rules, changed, quarantine, enterprise, virtualdatacenter, tag]
  if (others.some((filter) => filter !== undefined)) return undefined
  if (filters.state !== undefined) {
    const isSole = available === undefined && attached === undefined && !snatdefault
    const isKnown = caller.scope.allEnterprises || !['free', 'attached'].includes(filters.state)
    return isSole && isKnown ? countedStates[filters.state] : undefined
  }
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

type CountOfIps = { visibility: Visibility; place: NatScope; filters: IpFilters; bounds: KeyBounds }

/**
 * The number of IPs that match the filters within the bounds, which replace `within`. A statement for each state: a text among its values
 * would be a parameter.
 */
export async function countIps(db: Db, { filters, ...values }: CountOfIps): Promise<number> {
  const { state } = filters
  const counts = statement(
    `count of NAT IPs ${state ?? ''}`,
    (on, { visibility, place, filters, bounds }: CountOfIps) =>
      ipIds(on, visibility, place, { ...filters, state })
        .where(isBetween('nat_ips.ip_key', bounds))
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('rows')),
  )
  const [counted] = await counts(db, {
    ...values,
    filters: { ...filters, state: undefined, within: undefined },
  })
  return Number(counted?.rows)
}
