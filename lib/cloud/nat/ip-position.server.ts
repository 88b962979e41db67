import type { ReadContext } from '#lib/caller/auth/context.server'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type NatScope, narrowBlock, totalOfCounted } from '#lib/cloud/nat/counts.server'
import { ipIds, ipsCounted, requireNarrowed } from '#lib/cloud/nat/ip-filters.server'
import type { IpFilters, IpPositionQuery, NatIpPosition } from '#lib/cloud/nat/ips.schema'
import type { PlacePath } from '#lib/cloud/nat/networks.server'
import { countBefore } from '#lib/cloud/nat/positions.server'
import { database } from '#lib/db/db.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { LinkDocument } from '#lib/ground/http/view'
import { addressKey, formatAddress, parseAddress } from '#lib/ground/net/addresses'

/** The address that a query is about, in any spelling. Throws CONSTR-PATTERN. */
export function requireAddress(text: string) {
  const address = parseAddress(text.trim())
  if (address) return address
  throw new ApiError(
    fieldFault('CONSTR-PATTERN', 'ip', `'${text.slice(0, 64)}' is not an IPv4 or IPv6 address`),
  )
}

/** The position that an address has, or would have, in the list of IPs of the path. Counts on the scan thread. */
export async function readIpPosition({
  params,
  query: { ip: text, asc, ...filters },
  ...context
}: ReadContext & { params: PlacePath; query: IpPositionQuery }): Promise<NatIpPosition> {
  const place = await requireNarrowed(context, params, filters)
  const address = requireAddress(text)
  const key = addressKey(address.version, address.value)
  const ips = ipIds(database().scan, context.caller, place, filters)
  const before = await positionOf(context, place, key, { asc, ...filters })
  // Networks and datacenters may share addresses. The first IP with this address in the list counts.
  const found = await ips
    .where('nat_ips.ip_key', '=', key)
    .select(['nat_ips.nat_network_id', 'nat_ips.datacenter_id'])
    .orderBy('nat_ips.datacenter_id', asc ? 'asc' : 'desc')
    .orderBy('nat_ips.id', asc ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
  const ip = formatAddress(address.version, address.value)
  return {
    links: found ? [ipLink(found, ip)] : [],
    ip,
    exists: found !== undefined,
    position: before,
    ...(found && { id: found.id }),
  }
}

type Found = { id: number; nat_network_id: number; datacenter_id: number }

const ipLink = ({ id, nat_network_id, datacenter_id }: Found, ip: string): LinkDocument =>
  linkTo(kinds.natip, { datacenter: datacenter_id, natnetwork: nat_network_id, id }, ip)

/** The number of IPs before this address. Only rows that the totals of blocks do not cover are counted. */
async function positionOf(
  { caller, db }: ReadContext,
  place: NatScope,
  key: string,
  { asc, ...filters }: Pick<IpPositionQuery, 'asc'> & IpFilters,
): Promise<number> {
  const counted = ipsCounted(caller, filters)
  const rows = ipIds(counted ? db : database().scan, caller, place, filters)
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('rows'))
  const count = async (query: typeof rows) => Number((await query.executeTakeFirstOrThrow()).rows)
  if (!counted) return count(rows.where('nat_ips.ip_key', asc ? '<' : '>', key))
  const inBlock = await count(
    rows.where('nat_ips.ip_key', '>=', narrowBlock(key)).where('nat_ips.ip_key', asc ? '<' : '<=', key),
  )
  const ahead = (await countBefore(db, { place, counted }, key)) + inBlock
  return asc ? ahead : (await totalOfCounted(db, place, counted)) - ahead
}
