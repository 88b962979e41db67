import type { ReadContext } from '#lib/caller/auth/context.server'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { NatScope } from '#lib/cloud/nat/counts.server'
import { countIps, ipIds, ipsCounted, requireNarrowed } from '#lib/cloud/nat/ip-filters.server'
import type { IpFilters, IpPositionQuery, NatIpPosition } from '#lib/cloud/nat/ips.schema'
import { isBetween } from '#lib/cloud/nat/long-list.server'
import type { PlacePath } from '#lib/cloud/nat/networks.server'
import { countWithin } from '#lib/cloud/nat/positions.server'
import { database } from '#lib/db/db.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { LinkDocument } from '#lib/ground/http/view'
import {
  addressKey,
  boundsOf,
  END,
  formatAddress,
  type KeyBounds,
  parseAddress,
} from '#lib/ground/net/addresses'

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

/** The bounds of the addresses of the list before this one. */
function boundsBefore({ from, to }: KeyBounds, key: string, asc: boolean): KeyBounds {
  if (asc) return { from, to: to === '' || key < to ? key : to }
  const after = `${key}${END}`
  return { from: after > from ? after : from, to }
}

/** The number of IPs before this address. */
async function positionOf(
  { caller, db }: ReadContext,
  place: NatScope,
  key: string,
  { asc, ...filters }: Pick<IpPositionQuery, 'asc'> & IpFilters,
): Promise<number> {
  const visibility = visibilityOf(caller)
  const counted = ipsCounted(caller, filters)
  const before = boundsBefore(boundsOf(filters.within), key, asc)
  if (counted)
    return countWithin(db, { place, counted }, before, (bounds) =>
      countIps(db, { visibility, place, filters, bounds }),
    )
  const rows = await ipIds(database().scan, caller, place, filters)
    .where(isBetween('nat_ips.ip_key', before))
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows.rows)
}
