import { database } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/http/errors'
import type { Asked } from '#lib/http/spec'
import { link } from '#lib/http/view'
import { addressKey, formatAddress, parseAddress } from '#lib/nat/addresses'
import { ipIds, requireNarrowed } from '#lib/nat/ip-filters.server'
import type { IpPositionQuery, NatIpPosition } from '#lib/nat/ips.schema'

/** Where an address stands, or would stand, in the list of a datacenter's IPs. Counted beside the thread that answers. */
export async function readIpPosition(
  asked: Asked,
  datacenter: number,
  { ip: text, asc, ...filters }: IpPositionQuery,
): Promise<NatIpPosition> {
  const place = await requireNarrowed(asked, { datacenter }, filters)
  const address = parseAddress(text.trim())
  if (!address)
    throw new ApiError(fault('CONSTR-PATTERN', `ip: '${text.slice(0, 64)}' is no IPv4 or IPv6 address`))
  const key = addressKey(address.version, address.value)
  const ips = ipIds(database().scan, asked.caller, place, filters)
  const { before } = await ips
    .clearSelect()
    .where('nat_ips.ip_key', asc ? '<' : '>', key)
    .select((select) => select.fn.countAll<number>().as('before'))
    .executeTakeFirstOrThrow()
  // Networks may overlap: of several the one that the list shows first.
  const found = await ips
    .where('nat_ips.ip_key', '=', key)
    .select('nat_ips.nat_network_id')
    .orderBy('nat_ips.id', asc ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
  const ip = formatAddress(address.version, address.value)
  const networks = `/admin/datacenters/${datacenter}/natnetworks`
  return {
    links: found ? [link('natip', `${networks}/${found.nat_network_id}/ips/${found.id}`, 'natip', ip)] : [],
    ip,
    exists: found !== undefined,
    position: Number(before),
    ...(found && { id: found.id }),
  }
}
