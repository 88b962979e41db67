import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import {
  requireEnterprise,
  requireMachine,
  seesEnterprise,
  type Visibility,
} from '#lib/caller/scopes/visibility.server'
import { type Counted, isWithin, type NatScope } from '#lib/cloud/nat/counts.server'
import { isBetween } from '#lib/cloud/nat/long-list.server'
import { type PlaceFilters, type PlacePath, requirePlace } from '#lib/cloud/nat/networks.server'
import { LAST_PORT, portsWanted, type RuleQuery } from '#lib/cloud/nat/rules.schema'
import { changedAs, type SeenColumns } from '#lib/db/changed.server'
import { type Db, database } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { hasTags } from '#lib/db/tags.server'
import { about, gather } from '#lib/ground/http/errors'
import { boundsOf } from '#lib/ground/net/addresses'

/* The filters of lists of NAT rules. */

type Filters = Partial<
  Pick<
    RuleQuery,
    'protocol' | 'enabled' | 'within' | 'changed' | 'enterprise' | 'virtualmachine' | 'endsbefore' | 'tag'
  >
>

/** The place of the path, limited by the filters. Throws DC-0, NAT-NET-1, EN-0 and VM-0 for resources that the caller does not see. */
export async function requireNarrowed(
  context: ReadContext,
  path: PlacePath,
  { enterprise, virtualmachine, ...filters }: PlaceFilters & Filters,
): Promise<NatScope> {
  const [place] = await gather(
    requirePlace(context, path, filters),
    ...(enterprise === undefined ? [] : [about('enterprise', requireEnterprise(context, enterprise))]),
    ...(virtualmachine === undefined ? [] : [requireMachine(context, virtualmachine)]),
  )
  return place
}

type Condition = RawBuilder<SqlBool>

const any: Condition = sql`1 = 1`

/** An index has only the disabled rules, which are few. It has `snat` too: without that column SQLite would read an index of all rules. */
const isEnabled = (enabled: boolean): Condition =>
  enabled
    ? sql`nat_rules.disabled_at is null`
    : sql`(nat_rules.disabled_at is not null and +nat_rules.snat >= 0)`

/** Finds rules by id or machine if either is given, otherwise by place. The unary plus keeps SQLite from using an index on the column. */
function locatedIn(
  place: NatScope,
  { enterprise, virtualmachine, changed, tag, endsbefore }: Filters,
  candidates: readonly number[] | undefined,
): Condition[] {
  const { network } = place
  // The journal, and the indexes of ends and tags, have fewer rows than the place.
  const isRecent = changed?.startsWith('<') === true || endsbefore !== undefined
  if (enterprise === undefined && virtualmachine === undefined && !candidates && !isRecent && !tag)
    return [
      isWithin(place, place.byAddress ? '+nat_rules.datacenter_id' : 'nat_rules.datacenter_id'),
      network === undefined ? any : sql`nat_rules.nat_network_id = ${network}`,
    ]
  return [
    candidates ? isAmong(database().engine, 'nat_rules.id', candidates) : any,
    isWithin(place, '+nat_rules.datacenter_id'),
    network === undefined ? any : sql`+nat_rules.nat_network_id = ${network}`,
    virtualmachine === undefined ? any : sql`nat_rules.virtual_machine_id = ${virtualmachine}`,
    enterprise === undefined
      ? any
      : sql`nat_rules.virtual_machine_id in
          (select virtual_machines.id from virtual_machines where virtual_machines.enterprise_id = ${enterprise})`,
  ]
}

/** True for the DNAT rules that overlap `TCP:2000-2999`, as NAT-RULE-3 has it. */
export function isOverlapping(text: string | undefined): Condition {
  if (text === undefined) return any
  const { protocol, first, last } = portsWanted(text)
  const isSame = protocol === 'ANY' ? any : sql`nat_rules.protocol in (${protocol}, 'ANY')`
  return sql`nat_rules.snat = 0 and ${isSame}
    and coalesce(nat_rules.original_port, 0) <= ${last}
    and coalesce(nat_rules.original_port_end, nat_rules.original_port, ${LAST_PORT}) >= ${first}`
}

/** The notes of a rule belong to its machine: a caller who does not see that finds none. */
export const hasRuleTags = (caller: Visibility, tags: readonly string[] | undefined): Condition =>
  tags === undefined
    ? any
    : sql`${hasTags('nat_rules.id', tags)} and ${ofSeenMachine(caller, sql.ref('nat_rules.virtual_machine_id'))}`

const ofSeenMachine = (caller: Visibility, id: RawBuilder<unknown>): Condition =>
  sql`exists (select 1 from virtual_machines as noting
    where noting.id = ${id} and ${seesEnterprise(caller, 'noting.enterprise_id')})`

/** A change of the notes counts for callers who see the machine. */
export function seenColumns(caller: Visibility): SeenColumns | undefined {
  if (caller.scope.allEnterprises) return undefined
  const sees = (id: RawBuilder<unknown>) => ofSeenMachine(caller, id)
  const ofMachine = { by: 'virtual_machine_id', sees }
  return { description: ofMachine, tags: ofMachine }
}

/** The filters that depend on who sees the notes. */
export const asSeen = (caller: Visibility, { tag, changed }: Filters): Condition =>
  sql`(${hasRuleTags(caller, tag)} and ${changedAs('nat_rules.id', changed, seenColumns(caller))})`

/** The ids of the NAT rules of a place that match the filters, regardless of `snat` and of those in `asSeen`. */
export const ruleIds = (db: Db, place: NatScope, filters: Filters, candidates?: readonly number[]) =>
  db
    .selectFrom('nat_rules')
    .where((on) =>
      on.and([
        ...locatedIn(place, filters, candidates),
        isBetween('nat_rules.ip_key', boundsOf(filters.within)),
        filters.enabled === undefined ? any : isEnabled(filters.enabled),
        filters.endsbefore === undefined
          ? any
          : sql<boolean>`nat_rules.ends_at < ${Date.parse(filters.endsbefore)}`,
        filters.protocol === undefined ? any : sql<boolean>`nat_rules.protocol = ${filters.protocol}`,
      ]),
    )
    .select('nat_rules.id')

/** The stored total that counts the filtered rules, if there is one. */
export function rulesCounted(query: RuleQuery): Counted | undefined {
  const { has, protocol, enabled, changed, enterprise, virtualmachine, snat, tag, endsbefore } = query
  if (
    [has || undefined, protocol, enabled, changed, enterprise, virtualmachine, tag, endsbefore].some(
      (filter) => filter !== undefined,
    )
  )
    return undefined
  if (snat !== undefined) return snat ? 'snat_rules' : 'dnat_rules'
  return 'snat_rules + dnat_rules'
}
