import { type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import { useOfNetwork } from '#lib/cloud/nat/assignable.server'
import type { AllNatNetworkListQuery, NatNetworkListQuery } from '#lib/cloud/nat/networks.schema'
import { networkRows, networkView, overlaps, rangeOf } from '#lib/cloud/nat/networks.server'
import { hasText, list } from '#lib/db/list.server'
import type { Listing } from '#lib/ground/http/render.server'

const orders = {
  name: ['nat_networks.name_key'],
  id: [],
  cidr: ['nat_networks.first_key', 'nat_networks.prefix'],
  device: ['devices.name_key'],
  use: [useOfNetwork, 'nat_networks.name_key'],
}

const everyRow = sql<SqlBool>`1 = 1`

/** The addresses of the CIDR, if there is one: only the networks that share one of them are in the list. */
const rangeIn = (cidr: string | undefined) => (cidr === undefined ? undefined : rangeOf(cidr))

export async function listNetworks({
  found: { id: datacenter },
  query,
}: Listed<DatacenterRow, NatNetworkListQuery>): Promise<Listing> {
  const { device, overlaps: cidr, has } = query
  return list({
    from: (db, { datacenter, device, range }) =>
      networkRows(db)
        .where('nat_networks.datacenter_id', '=', datacenter)
        .where(device === undefined ? everyRow : sql<SqlBool>`nat_networks.device_id = ${device}`)
        .where(range === undefined ? everyRow : overlaps(range))
        .where((on) => on.or([hasText('nat_networks.name_key', has), hasText('nat_networks.cidr', has)])),
    once: { name: 'NAT networks', values: { datacenter, device, range: rangeIn(cidr) } },
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
    from: (db, { visibility, datacenter, range }) =>
      networkRows(db)
        .where(seesDatacenter(visibility, 'nat_networks.datacenter_id'))
        .where(datacenter === undefined ? everyRow : sql<SqlBool>`nat_networks.datacenter_id = ${datacenter}`)
        .where(range === undefined ? everyRow : overlaps(range))
        .where((on) =>
          on.or([
            hasText('nat_networks.name_key', has),
            hasText('nat_networks.cidr', has),
            hasText('datacenters.name_key', has),
          ]),
        ),
    once: {
      name: 'all NAT networks',
      values: { visibility: visibilityOf(caller), datacenter, range: rangeIn(cidr) },
    },
    orders: { ...orders, datacenter: ['datacenters.name_key', 'nat_networks.name_key'] },
    id: 'nat_networks.id',
    paging: query,
    scans: true,
    views: (rows) => rows.map(networkView),
    path: '/admin/natnetworks',
  })
}
