import { type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter } from '#lib/caller/scopes/visibility.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import type { AllNatNetworkListQuery, NatNetworkListQuery } from '#lib/cloud/nat/networks.schema'
import { networkRows, networkView, overlaps, rangeOf } from '#lib/cloud/nat/networks.server'
import { hasText, list } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'

/** The share of IPs that are attached, 0 for a network without IPs. */
const use = sql`case when nat_counts.ips = 0 then 0 else nat_counts.used_ips * 1.0 / nat_counts.ips end`

const orders = {
  name: ['nat_networks.name_key'],
  id: [],
  cidr: ['nat_networks.first_key', 'nat_networks.prefix'],
  device: ['devices.name_key'],
  use: [use, 'nat_networks.name_key'],
}

const everyRow = sql<SqlBool>`1 = 1`

/** Only the networks that share addresses with the CIDR, if there is one. */
const sharing = (cidr: string | undefined) => (cidr === undefined ? everyRow : overlaps(rangeOf(cidr)))

export async function listNetworks({
  found: { id: datacenter },
  query,
}: Listed<DatacenterRow, NatNetworkListQuery>): Promise<Listing> {
  const { device, overlaps: cidr, has } = query
  return list({
    from: (db) =>
      networkRows(db)
        .where('nat_networks.datacenter_id', '=', datacenter)
        .where(device === undefined ? everyRow : sql<SqlBool>`nat_networks.device_id = ${device}`)
        .where(sharing(cidr))
        .where((on) => on.or([hasText('nat_networks.name_key', has), hasText('nat_networks.cidr', has)])),
    orders,
    id: 'nat_networks.id',
    paging: query,
    views: (rows) => rows.map(networkView),
    path: collectionOf(kinds.natnetwork, { datacenter }),
  })
}

/** The networks of all visible datacenters. `has` also searches the names of the datacenters. */
export const listAllNetworks = ({ caller }: ReadContext, query: AllNatNetworkListQuery): Promise<Listing> => {
  const { datacenter, overlaps: cidr, has } = query
  return list({
    from: (db) =>
      networkRows(db)
        .where(seesDatacenter(caller, 'nat_networks.datacenter_id'))
        .where(datacenter === undefined ? everyRow : sql<SqlBool>`nat_networks.datacenter_id = ${datacenter}`)
        .where(sharing(cidr))
        .where((on) =>
          on.or([
            hasText('nat_networks.name_key', has),
            hasText('nat_networks.cidr', has),
            hasText('datacenters.name_key', has),
          ]),
        ),
    orders: { ...orders, datacenter: ['datacenters.name_key', 'nat_networks.name_key'] },
    id: 'nat_networks.id',
    paging: query,
    scans: true,
    views: (rows) => rows.map(networkView),
    path: '/admin/natnetworks',
  })
}
