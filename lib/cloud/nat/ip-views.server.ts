import { type SelectQueryBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { seesEnterprise, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { ipNotes } from '#lib/cloud/nat/ip-notes.server'
import type { allNatIpOrders, NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { Group, Groups } from '#lib/cloud/nat/long-list.server'
import type { Db } from '#lib/db/db.server'
import { type Column, inOrderOf } from '#lib/db/list.server'
import { paddedIds, statement } from '#lib/db/statements.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { link, linkIf } from '#lib/ground/http/view'

/** The holder of an address is shown only to callers who see its enterprise. */
type Shown = { ids: number[]; visibility: Visibility }

const details = (db: Db, { ids, visibility }: Shown) =>
  db
    .selectFrom('nat_ips')
    .where('nat_ips.id', 'in', ids)
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_ips.nat_network_id')
    .innerJoin('datacenters', 'datacenters.id', 'nat_ips.datacenter_id')
    .leftJoin('virtual_datacenters', (join) =>
      join
        .onRef('virtual_datacenters.id', '=', 'nat_ips.virtual_datacenter_id')
        .on(seesEnterprise(visibility, 'virtual_datacenters.enterprise_id')),
    )
    .leftJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .select([
      'nat_ips.id',
      'nat_ips.ip',
      'nat_ips.ip_key',
      'nat_ips.available',
      'nat_ips.quarantine',
      'nat_ips.default_snat',
      'nat_ips.virtual_datacenter_id as holder_id',
      ...ipNotes.select,
      'nat_ips.ends_at',
      'nat_ips.nat_network_id',
      'nat_networks.name as network_name',
      'nat_ips.datacenter_id',
      'datacenters.name as datacenter_name',
      'virtual_datacenters.id as virtual_datacenter_id',
      'virtual_datacenters.name as virtual_datacenter_name',
      'enterprises.id as enterprise_id',
      'enterprises.name as enterprise_name',
    ])
    .select(sql<number>`(select count(*) from nat_rules where nat_rules.nat_ip_id = nat_ips.id)`.as('rules'))

const shownIps = statement('NAT IPs', details)

type IpRow =
  ReturnType<typeof details> extends SelectQueryBuilder<infer _DB, infer _TB, infer Row> ? Row : never

const ipView = (row: IpRow): NatIpDocument => {
  const datacenter = pathOf(kinds.datacenter, { id: row.datacenter_id })
  const network = `${datacenter}/natnetworks/${row.nat_network_id}`
  const path = `${network}/ips/${row.id}`
  const center = pathOf(kinds.virtualdatacenter, { id: row.virtual_datacenter_id })
  const enterprise = pathOf(kinds.enterprise, { id: row.enterprise_id })
  return {
    links: [
      link('self', path, 'natip', row.ip),
      link('natnetwork', network, 'natnetwork', row.network_name),
      link('datacenter', datacenter, 'datacenter', row.datacenter_name),
      link('rules', `${path}/rules`, 'natrules'),
      ...linkIf(
        row.virtual_datacenter_id,
        link('virtualdatacenter', center, 'virtualdatacenter', row.virtual_datacenter_name),
      ),
      ...linkIf(row.enterprise_id, link('enterprise', enterprise, 'enterprise', row.enterprise_name)),
    ],
    id: row.id,
    ip: row.ip,
    available: row.available === 1,
    quarantine: row.quarantine === 1,
    defaultSnat: row.default_snat === 1,
    ipv6: row.ip_key.startsWith('6'),
    networkName: row.network_name,
    rules: Number(row.rules),
    ...(row.holder_id === (row.virtual_datacenter_id ?? null) ? ipNotes.read(row) : noNotes),
    ...(row.virtual_datacenter_id !== null && row.ends_at !== null && { ends: endsText(row.ends_at) }),
  }
}

/** The documents of these NAT IPs, in this order. The IPs must be visible to the caller. */
export async function ipViews(
  { caller, db }: ReadContext,
  ids: readonly { id: number }[],
): Promise<NatIpDocument[]> {
  const rows = await shownIps(db, { ids: paddedIds(ids), visibility: visibilityOf(caller) })
  return inOrderOf(ids, rows).map(ipView)
}

/** A name of the address's holder. Empty without a holder that the caller sees. */
const holder = (caller: Caller, column: string) => sql`coalesce((
  select ${sql.ref(column)} from virtual_datacenters join enterprises on enterprises.id = virtual_datacenters.enterprise_id
  where virtual_datacenters.id = nat_ips.virtual_datacenter_id and ${seesEnterprise(caller, 'enterprises.id')}), '')`

const rankedHolders = (caller: Caller, column: string) => sql`
  select virtual_datacenters.id as id, dense_rank() over (order by ${sql.ref(column)}) as rank
  from virtual_datacenters join enterprises on enterprises.id = virtual_datacenters.enterprise_id
  where ${seesEnterprise(caller, 'enterprises.id')}`

/** The ranks of all rows of a table by name. */
const ranked = (table: 'nat_networks' | 'datacenters') =>
  sql`select id, dense_rank() over (order by name_key) as rank from ${sql.table(table)}`

export const datacenterGroup = (table: 'nat_ips' | 'nat_rules'): Group => ({
  key: sql.ref(`${table}.datacenter_id`),
  ranks: ranked('datacenters'),
})

const holderId = sql`coalesce(nat_ips.virtual_datacenter_id, 0)`

const groupsOfAll = {
  network: { key: sql.ref('nat_ips.nat_network_id'), ranks: ranked('nat_networks') },
  available: { key: sql.ref('nat_ips.available') },
  quarantine: { key: sql.ref('nat_ips.quarantine') },
  datacenter: datacenterGroup('nat_ips'),
}

/** The groups of these orders. */
export const ipGroupsFor = (caller: Caller): Groups<(typeof allNatIpOrders)[number]> => ({
  ...groupsOfAll,
  virtualdatacenter: { key: holderId, ranks: rankedHolders(caller, 'virtual_datacenters.name_key') },
  enterprise: { key: holderId, ranks: rankedHolders(caller, 'enterprises.name_key') },
})

/** The name of the row's datacenter, as a column to order by. */
export const datacenterName = (table: 'nat_ips' | 'nat_rules') =>
  sql`(select name_key from datacenters where id = ${sql.ref(`${table}.datacenter_id`)})`

/** The same address may exist in several datacenters. */
const byIp = ['nat_ips.ip_key', 'nat_ips.datacenter_id']

const ordersOfAll = {
  ip: byIp,
  network: [sql`(select name_key from nat_networks where id = nat_ips.nat_network_id)`, ...byIp],
  available: ['nat_ips.available', ...byIp],
  quarantine: ['nat_ips.quarantine', ...byIp],
  datacenter: [datacenterName('nat_ips'), ...byIp],
}

/** The columns behind each order of NAT IPs. */
export const ipOrdersFor = (caller: Caller): Record<(typeof allNatIpOrders)[number], readonly Column[]> => ({
  ...ordersOfAll,
  virtualdatacenter: [holder(caller, 'virtual_datacenters.name_key'), ...byIp],
  enterprise: [holder(caller, 'enterprises.name_key'), ...byIp],
})
