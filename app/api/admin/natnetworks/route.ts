import { readers } from '#lib/auth/readers'
import { reads } from '#lib/http/endpoint.server'
import { listAllNetworks } from '#lib/nat/network-lists.server'
import { natNetworkCsv } from '#lib/nat/networks.csv'
import { allNatNetworkListQuery } from '#lib/nat/networks.schema'

export const GET = reads(
  {
    summary: 'List the NAT networks of all datacenters',
    anyOf: readers.natnetwork,
    query: allNatNetworkListQuery,
    answers: 'natnetworks',
    csv: natNetworkCsv,
  },
  (context) => listAllNetworks(context, context.query),
)
