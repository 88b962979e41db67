import { byName, centerPath, pickerQuery } from '#lib/infrastructure/virtual-datacenters.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { natNetworksPath } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'

export const natNetworkPickerQuery = (datacenter: number, has: string) =>
  pickerQuery<NatNetworkDocument>(natNetworksPath(datacenter), byName(has))

/** The NAT IPs that are attached to a virtual datacenter. */
export const attachedNatIpPickerQuery = (center: number, has: string) =>
  pickerQuery<NatIpDocument>(`${centerPath(center)}/natips`, { by: 'ip', has: has || undefined })
