import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { assignableIps, hasRoom } from '#lib/cloud/nat/assignable.server'
import type { FindingIds, NatFindingCode } from '#lib/cloud/nat/check.schema'
import { database } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { hasText } from '#lib/db/list.server'

/*
 * One query for each finding, over the whole datacenter. `cross join` is the order for SQLite, which would otherwise begin with a million
 * rules where few addresses or machines are looked for.
 */

/** A finding. `id`, `other` and `third` are ids whose kinds depend on the finding; `key` orders the findings of one code. */
export type Found = FindingIds & {
  times: number
  key: string
  /** What the finding was like: with another mark it is another finding (set-asides.server.ts). Never shown. */
  mark: string
  /** The enterprise whose readers alone see the finding: 0 for none, -1 for several. */
  enterprise: number
}

/** `network` limits the findings to those about a NAT network of the datacenter, its IPs, its rules or its device. */
export type Asked = {
  datacenter: number
  network: number | undefined
  caller: ReadContext['caller']
  has: string
  /** Only this finding. */
  only?: FindingIds | undefined
}

type Query = (asked: Asked) => RawBuilder<Found>

const found = (columns: RawBuilder<unknown>, rows: RawBuilder<unknown>): RawBuilder<Found> =>
  sql`select ${columns} from ${rows}`

const isIn = (network: number | undefined, column: string): RawBuilder<SqlBool> =>
  network === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${network}`

const deviceOf = (network: number | undefined, column: string): RawBuilder<SqlBool> =>
  network === undefined
    ? sql`1 = 1`
    : sql`${sql.ref(column)} = (select device_id from nat_networks where id = ${network})`

const isOnly = (only: FindingIds | undefined, column: string): RawBuilder<SqlBool> =>
  only === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${only.id}`

const nothing = sql`''`
const nobody = sql`0`

const about = (
  table: 'nat_rules' | 'nat_ips' | 'nat_networks' | 'devices',
  key: string,
  { mark = nothing, enterprise = nobody }: Partial<Record<'mark' | 'enterprise', RawBuilder<unknown>>> = {},
): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.id`)} as id, 0 as other, 0 as third, 1 as times, ${sql.ref(`${table}.${key}`)} as key,
    cast(${mark} as text) as mark, ${enterprise} as enterprise`

/** The rules on addresses in a state that an index of a few addresses serves. */
const rulesOnIps =
  (state: RawBuilder<SqlBool>): Query =>
  ({ datacenter, network, has, only }) =>
    found(
      about('nat_rules', 'ip_key'),
      sql`nat_ips cross join nat_rules where nat_ips.datacenter_id = ${datacenter} and ${state}
        and ${isIn(network, 'nat_ips.nat_network_id')} and nat_rules.nat_ip_id = nat_ips.id and nat_rules.disabled_at is null and ${isOnly(only, 'nat_rules.id')} and ${hasText('nat_ips.ip', has)}`,
    )

const notAttached: Query = ({ datacenter, network, caller, has, only }) =>
  found(
    about('nat_rules', 'ip_key', {
      mark: sql`coalesce(nat_ips.virtual_datacenter_id, 0)`,
      enterprise: sql`virtual_machines.enterprise_id`,
    }),
    sql`nat_rules cross join nat_ips cross join virtual_machines
      where nat_rules.datacenter_id = ${datacenter} and ${isIn(network, 'nat_rules.nat_network_id')}
        and ${isOnly(only, 'nat_rules.id')} and nat_ips.id = nat_rules.nat_ip_id and nat_rules.disabled_at is null
        and virtual_machines.id = nat_rules.virtual_machine_id
        and (nat_ips.virtual_datacenter_id is null or nat_ips.virtual_datacenter_id <> virtual_machines.virtual_datacenter_id)
        and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')} and ${hasText('nat_ips.ip', has)}`,
  )

/** `id` is the network whose range begins first. An index finds the ranges that begin within it. */
const overlapping: Query = ({ datacenter, network, has, only }) =>
  found(
    sql`one.id as id, two.id as other, 0 as third, 1 as times, one.first_key as key,
      one.cidr || ' ' || two.cidr as mark, 0 as enterprise`,
    sql`nat_networks as one join nat_networks as two on two.device_id = one.device_id
        and two.first_key >= one.first_key and two.first_key <= one.last_key
        and (two.first_key > one.first_key or two.id > one.id)
      where one.datacenter_id = ${datacenter} and ${isOnly(only, 'one.id')} and (${isIn(network, 'one.id')} or ${isIn(network, 'two.id')})
        and (${hasText('one.name_key', has)} or ${hasText('two.name_key', has)})`,
  )

/** Of private IPs in a group: a rule or a default SNAT of the network translates at least one. */
const translatesOneOf = (network: number | undefined): RawBuilder<SqlBool> =>
  network === undefined
    ? sql`1 = 1`
    : sql`max(case when private_ips.id in (
          select private_ip_id from nat_rules where nat_network_id = ${network} and disabled_at is null
          union select inner_ips.id from nat_ips
            join private_ips as inner_ips on inner_ips.virtual_datacenter_id = nat_ips.virtual_datacenter_id
            where nat_ips.nat_network_id = ${network} and nat_ips.default_snat = 1
        ) then 1 else 0 end) = 1`

/** The private IPs with the address of the only finding. */
const isSameAs = (only: FindingIds | undefined, column: string): RawBuilder<SqlBool> =>
  only === undefined
    ? sql`1 = 1`
    : sql`${sql.ref(column)} in (select same.id from private_ips as same
        where same.ip_key = (select one.ip_key from private_ips as one where one.id = ${only.id}))`

/**
 * Private IPs are behind the device of their virtual datacenter, and behind each device that translates them by a rule or by a default
 * SNAT. `id` and `other` are two of the private IPs, `third` is the device.
 */
const twiceBehind: Query = ({ datacenter, network, caller, has, only }) =>
  found(
    sql`min(private_ips.id) as id, max(private_ips.id) as other, behind.device_id as third, count(*) as times,
      private_ips.ip_key as key, cast(count(*) as text) as mark, case when min(virtual_datacenters.enterprise_id)
        = max(virtual_datacenters.enterprise_id) then min(virtual_datacenters.enterprise_id) else -1 end as enterprise`,
    sql`(
        select virtual_datacenters.device_id as device_id, private_ips.id as private_ip_id
          from virtual_datacenters join private_ips on private_ips.virtual_datacenter_id = virtual_datacenters.id
          where virtual_datacenters.datacenter_id = ${datacenter} and virtual_datacenters.device_id is not null
          and ${isSameAs(only, 'private_ips.id')}
        union select nat_networks.device_id, nat_rules.private_ip_id
          from nat_rules join nat_networks on nat_networks.id = nat_rules.nat_network_id
          where nat_rules.datacenter_id = ${datacenter} and nat_rules.disabled_at is null and ${isSameAs(only, 'nat_rules.private_ip_id')}
        union select nat_networks.device_id, private_ips.id
          from nat_ips join nat_networks on nat_networks.id = nat_ips.nat_network_id
            join private_ips on private_ips.virtual_datacenter_id = nat_ips.virtual_datacenter_id
          where nat_ips.datacenter_id = ${datacenter} and nat_ips.default_snat = 1
          and ${isSameAs(only, 'private_ips.id')}
      ) as behind
      join private_ips on private_ips.id = behind.private_ip_id
      join virtual_datacenters on virtual_datacenters.id = private_ips.virtual_datacenter_id
      where ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')} and ${hasText('private_ips.ip', has)}
        and ${deviceOf(network, 'behind.device_id')}
      group by behind.device_id, private_ips.ip_key having count(*) > 1 and ${translatesOneOf(network)}`,
  )

const heldIps = ({ datacenter, network, caller, has, only }: Asked, state: RawBuilder<SqlBool>) =>
  found(
    about('nat_ips', 'ip_key', {
      mark: sql`nat_ips.virtual_datacenter_id`,
      enterprise: sql`virtual_datacenters.enterprise_id`,
    }),
    sql`nat_ips join virtual_datacenters on virtual_datacenters.id = nat_ips.virtual_datacenter_id
      where nat_ips.datacenter_id = ${datacenter} and ${isIn(network, 'nat_ips.nat_network_id')} and ${state}
        and ${isOnly(only, 'nat_ips.id')} and ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')} and ${hasText('nat_ips.ip', has)}`,
  )

const mootDefaults: Query = (asked) =>
  heldIps(
    asked,
    sql`nat_ips.default_snat = 1
      and exists (select 1 from private_ips where private_ips.virtual_datacenter_id = nat_ips.virtual_datacenter_id)
      and not exists (select 1 from private_ips
        where private_ips.virtual_datacenter_id = nat_ips.virtual_datacenter_id and not exists (
          select 1 from nat_rules
          where nat_rules.private_ip_id = private_ips.id and nat_rules.snat = 1 and nat_rules.disabled_at is null))`,
  )

export const IDLE_DAYS = 30
const MINUTE = 60_000

/** In microseconds, as the journal counts; in whole minutes, so that the numbers of findings stay cached for a while. */
const idleSince = (): number =>
  (Math.floor(Date.now() / MINUTE) * MINUTE - IDLE_DAYS * 24 * 60 * MINUTE) * 1000

/** How long an address has been idle is read from the journal, and unknown while the journal is younger. */
const idle: Query = (asked) => {
  const { engine } = database()
  const since = idleSince()
  const was = (column: string) => sql`cast(${textIn(engine, 'content', [column])} as bigint)`
  return heldIps(
    asked,
    sql`nat_ips.virtual_datacenter_id is not null and nat_ips.default_snat = 0
      and (select min(moment) from journal_beginning) <= ${since}
      and not exists (select 1 from nat_rules where nat_rules.nat_ip_id = nat_ips.id)
      and not exists (select 1 from past_rows where source = 'nat_ips' and past_rows.id = nat_ips.id and until > ${since}
        and (content is null or ${was('default_snat')} = 1
          or ${was('virtual_datacenter_id')} is distinct from nat_ips.virtual_datacenter_id))
      and nat_ips.id not in (select ${was('nat_ip_id')} from past_rows
        where source = 'nat_rules' and until > ${since} and content is not null)`,
  )
}

const networksWith =
  (state: RawBuilder<unknown>, mark = sql`nat_networks.cidr`): Query =>
  ({ datacenter, network, has, only }) =>
    found(
      about('nat_networks', 'first_key', { mark }),
      sql`nat_counts join nat_networks on nat_networks.id = nat_counts.nat_network_id
        where nat_counts.datacenter_id = ${datacenter} and used_ips > 0 and ${state}
          and ${isOnly(only, 'nat_networks.id')} and ${isIn(network, 'nat_networks.id')} and ${hasText('nat_networks.name_key', has)}`,
    )

const toMachinesOff: Query = ({ datacenter, network, caller, has, only }) =>
  found(
    about('nat_rules', 'ip_key', { enterprise: sql`virtual_machines.enterprise_id` }),
    sql`virtual_datacenters cross join virtual_machines cross join nat_rules cross join nat_ips
      where virtual_datacenters.datacenter_id = ${datacenter}
        and virtual_machines.virtual_datacenter_id = virtual_datacenters.id and virtual_machines.state = 'OFF'
        and nat_rules.virtual_machine_id = virtual_machines.id and nat_ips.id = nat_rules.nat_ip_id
        and nat_rules.disabled_at is null and ${isOnly(only, 'nat_rules.id')} and ${isIn(network, 'nat_rules.nat_network_id')}
        and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')} and ${hasText('nat_ips.ip', has)}`,
  )

/** A rule that is disabled again is another finding. */
const longDisabled: Query = ({ datacenter, network, caller, has, only }) =>
  found(
    about('nat_rules', 'ip_key', {
      mark: sql`nat_rules.disabled_at`,
      enterprise: sql`virtual_machines.enterprise_id`,
    }),
    sql`nat_rules cross join nat_ips cross join virtual_machines
      where nat_rules.datacenter_id = ${datacenter} and nat_rules.disabled_at <= ${idleSince() / 1000}
        and ${isOnly(only, 'nat_rules.id')} and ${isIn(network, 'nat_rules.nat_network_id')}
        and nat_ips.id = nat_rules.nat_ip_id and virtual_machines.id = nat_rules.virtual_machine_id
        and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')} and ${hasText('nat_ips.ip', has)}`,
  )

const drifted: Query = ({ datacenter, network, has, only }) =>
  found(
    about('devices', 'name_key', { mark: sql`device_states.drift` }),
    sql`devices join device_states on device_states.device_id = devices.id
      where devices.datacenter_id = ${datacenter} and ${deviceOf(network, 'devices.id')}
        and ${isOnly(only, 'devices.id')} and device_states.drift <> '[]' and ${hasText('devices.name_key', has)}`,
  )

// Literals, not parameters, so that the planner can use the partial indexes.
export const queries: Record<NatFindingCode, Query> = {
  'NATCHECK-1': rulesOnIps(sql`nat_ips.available = 0`),
  'NATCHECK-2': rulesOnIps(sql`nat_ips.quarantine = 1`),
  'NATCHECK-3': notAttached,
  'NATCHECK-4': overlapping,
  'NATCHECK-5': twiceBehind,
  'NATCHECK-6': mootDefaults,
  'NATCHECK-7': idle,
  // A full network is another finding than a nearly full one.
  'NATCHECK-8': networksWith(
    sql`used_ips * 10 > ${assignableIps} * 9`,
    sql`nat_networks.cidr || case when used_ips >= ${assignableIps} then ' full' else '' end`,
  ),
  'NATCHECK-9': toMachinesOff,
  'NATCHECK-10': drifted,
  'NATCHECK-11': longDisabled,
  'NATCHECK-12': networksWith(sql`free_ips = 0 and ${hasRoom}`),
}
