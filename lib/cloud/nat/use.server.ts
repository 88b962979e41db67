import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import type { NatUseDocument, NatUseListQuery } from '#lib/cloud/nat/networks.schema'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

/** Sums the stored totals of the networks of each datacenter. No rows are counted. */
const sums = (db: Db) =>
  db
    .selectFrom('nat_counts')
    .groupBy('nat_counts.datacenter_id')
    .select([
      'nat_counts.datacenter_id',
      sql<number>`count(*)`.as('networks'),
      sql<number>`sum(ips)`.as('ips'),
      sql<number>`sum(used_ips)`.as('used_ips'),
      sql<number>`sum(snat_rules + dnat_rules)`.as('rules'),
    ])
    .as('sums')

type UseRow = { id: number; name: string } & Record<'networks' | 'ips' | 'used_ips' | 'rules', number | null>

const useView = ({ id, name, networks, ips, used_ips, rules }: UseRow): NatUseDocument => {
  const datacenter = pathOf(kinds.datacenter, { id })
  return {
    links: [
      link('datacenter', datacenter, 'datacenter', name),
      link('natnetworks', `${datacenter}/natnetworks`, 'natnetworks'),
    ],
    id,
    name,
    networks: Number(networks),
    ips: Number(ips),
    usedIps: Number(used_ips),
    rules: Number(rules),
  }
}

/** The use of the NAT IPs in each visible datacenter, with or without networks. */
export const listNatUse = ({ caller }: ReadContext, paging: NatUseListQuery): Promise<Listing> =>
  namedList({
    table: 'datacenters',
    from: (db) =>
      visibleDatacenters(db, caller)
        .leftJoin(sums(db), 'sums.datacenter_id', 'datacenters.id')
        .select(['sums.networks', 'sums.ips', 'sums.used_ips', 'sums.rules']),
    paging,
    scans: true,
    views: (rows) => rows.map(useView),
    path: '/admin/natnetworks/action/use',
  })
