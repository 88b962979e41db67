import { collectionQuery, type Query } from '#lib/infrastructure/resources.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'

/** The NAT IPs of one network, or of all networks of the datacenter. */
export const natIpsQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatIpDocument>(
    network === undefined
      ? `${natNetworksPath(datacenter)}/action/allips`
      : `${natNetworkPath(datacenter, network)}/ips`,
    query,
  )
