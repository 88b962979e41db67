import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import { useOfNetwork } from '#lib/cloud/nat/assignable.server'
import { daysToFull, type Filling, fillingWithin, fillsOn, fillsWithin } from '#lib/cloud/nat/filling.server'
import type {
  AllNatNetworkListQuery,
  NatNetworkDocument,
  NatNetworkListQuery,
} from '#lib/cloud/nat/networks.schema'
import { type NetworkRow, networkRows, networkView, rulesOfNetwork } from '#lib/cloud/nat/networks.server'
import { type Db, isPast } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import { type Compared, comparedTo } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { boundsOf, type KeyBounds } from '#lib/ground/net/addresses'

const orders = {
  name: ['nat_networks.name_key'],
  id: [],
  cidr: ['nat_networks.first_key', 'nat_networks.prefix'],
  device: ['devices.name_key'],
  use: [useOfNetwork, 'nat_networks.name_key'],
}

const everyRow = sql<SqlBool>`1 = 1`

/** True if the network and the range share an address. */
const overlaps = ({ from, to }: KeyBounds) =>
  from === '' ? everyRow : sql<SqlBool>`nat_networks.first_key < ${to} and nat_networks.last_key >= ${from}`

/** True if the number is within the bound. */
const isCompared = (column: RawBuilder<unknown>, { above, below }: Compared) => {
  if (above !== undefined) return sql<SqlBool>`${column} > ${above}`
  return below === undefined ? everyRow : sql<SqlBool>`${column} < ${below}`
}

type Narrowed = { range: KeyBounds; rules: Compared; used: Compared; filling: Filling | undefined }

/** Throws GEN-22: the history of use has no past. */
function fillingIn(db: Db, days: number | undefined): Filling | undefined {
  if (days !== undefined && isPast(db))
    throw new ApiError(fieldFault('GEN-22', 'fillswithin', 'fillswithin has no past'))
  return fillingWithin(days)
}

type Narrowing = Pick<NatNetworkListQuery, 'overlaps' | 'rules' | 'used' | 'fillswithin'>

const narrowedBy = (db: Db, query: Narrowing): Narrowed => ({
  range: boundsOf(query.overlaps),
  rules: comparedTo(query.rules),
  used: comparedTo(query.used),
  filling: fillingIn(db, query.fillswithin),
})

const daysOf = (filling: Filling | undefined): RawBuilder<number | null> =>
  filling === undefined ? sql<null>`null` : daysToFull(filling)

/** Stored numbers: no IP and no rule is counted. */
const narrowed = (db: Db, { range, rules, used, filling }: Narrowed) =>
  networkRows(db)
    .where(overlaps(range))
    .where(isCompared(rulesOfNetwork, rules))
    .where(isCompared(useOfNetwork, used))
    .where(filling === undefined ? everyRow : fillsWithin(filling))
    .select(daysOf(filling).as('days_to_full'))

const listedView = (row: NetworkRow & { days_to_full: number | null }): NatNetworkDocument => ({
  ...networkView(row),
  ...(row.days_to_full !== null && { fillsOn: fillsOn(row.days_to_full) }),
})

export async function listNetworks({
  db,
  found: { id: datacenter },
  query,
}: Listed<DatacenterRow, NatNetworkListQuery>): Promise<Listing> {
  const { device, has } = query
  return list({
    from: (db, { datacenter, device, ...filters }) =>
      narrowed(db, filters)
        .where('nat_networks.datacenter_id', '=', datacenter)
        .where(device === undefined ? everyRow : sql<SqlBool>`nat_networks.device_id = ${device}`)
        .where((on) => on.or([hasText('nat_networks.name_key', has), hasText('nat_networks.cidr', has)])),
    once: { name: 'NAT networks', values: { datacenter, device, ...narrowedBy(db, query) } },
    orders,
    id: 'nat_networks.id',
    paging: query,
    views: (rows) => rows.map(listedView),
    path: collectionOf(kinds.natnetwork, { datacenter }),
  })
}

/** The networks of all visible datacenters. `has` also searches the names of the datacenters. */
export async function listAllNetworks(
  { caller, db }: ReadContext,
  query: AllNatNetworkListQuery,
): Promise<Listing> {
  const { datacenter, has } = query
  return list({
    from: (db, { visibility, datacenter, ...filters }) =>
      narrowed(db, filters)
        .where(seesDatacenter(visibility, 'nat_networks.datacenter_id'))
        .where(datacenter === undefined ? everyRow : sql<SqlBool>`nat_networks.datacenter_id = ${datacenter}`)
        .where((on) =>
          on.or([
            hasText('nat_networks.name_key', has),
            hasText('nat_networks.cidr', has),
            hasText('datacenters.name_key', has),
          ]),
        ),
    once: {
      name: 'all NAT networks',
      values: { visibility: visibilityOf(caller), datacenter, ...narrowedBy(db, query) },
    },
    orders: { ...orders, datacenter: ['datacenters.name_key', 'nat_networks.name_key'] },
    id: 'nat_networks.id',
    paging: query,
    scans: true,
    views: (rows) => rows.map(listedView),
    path: '/admin/natnetworks',
  })
}
