import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import { assignableIps, shownAssignable } from '#lib/cloud/nat/assignable.server'
import type { NatUseDocument, NatUseListQuery } from '#lib/cloud/nat/networks.schema'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

/** Sums the stored totals of the networks of each datacenter. No rows are counted. */
const sums = (db: Db) =>
  db
    .selectFrom('nat_counts')
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_counts.nat_network_id')
    .groupBy('nat_counts.datacenter_id')
    .select([
      'nat_counts.datacenter_id',
      sql<number>`count(*)`.as('networks'),
      sql<number>`sum(nat_counts.ips)`.as('ips'),
      sql<number>`sum(nat_counts.used_ips)`.as('used_ips'),
      sql<number>`sum(snat_rules + dnat_rules)`.as('rules'),
      sql<number>`sum(${assignableIps} * 1.0)`.as('assignable'),
      sql<number>`count(*) - count(${assignableIps})`.as('boundless'),
    ])
    .as('sums')

type UseRow = { id: number; name: string } & Record<
  'networks' | 'ips' | 'used_ips' | 'rules' | 'assignable' | 'boundless',
  number | null
>

/** null where the sum, or the number of a network, is above 2^53 - 1. */
function assignableOf({ assignable, boundless }: UseRow): number | null {
  const sum = Number(assignable)
  return Number(boundless) > 0 || !Number.isSafeInteger(sum) ? null : sum
}

const useView = (row: UseRow): NatUseDocument => {
  const { id, name, networks, ips, used_ips, rules } = row
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
    ...shownAssignable(assignableOf(row)),
  }
}

/** The use of the NAT IPs in each visible datacenter, with or without networks. */
export const listNatUse = ({ caller }: ReadContext, paging: NatUseListQuery): Promise<Listing> =>
  namedList({
    table: 'datacenters',
    from: (db) =>
      visibleDatacenters(db, caller)
        .leftJoin(sums(db), 'sums.datacenter_id', 'datacenters.id')
        .select([
          'sums.networks',
          'sums.ips',
          'sums.used_ips',
          'sums.rules',
          'sums.assignable',
          'sums.boundless',
        ]),
    paging,
    scans: true,
    views: (rows) => rows.map(useView),
    path: '/admin/natnetworks/action/use',
  })
