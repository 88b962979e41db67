import { kinds } from '#lib/kinds/kinds'
import { listAllNetworks } from '#lib/nat/network-lists.server'
import { natNetworkCsv } from '#lib/nat/networks.csv'
import { allNatNetworkListQuery } from '#lib/nat/networks.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listAllNetworks(context, context.query), {
  summary: 'List the NAT networks of all datacenters',
  who: { anyOf: kinds.natnetwork.readers },
  query: allNatNetworkListQuery,
  asOf: true,
  answers: { as: 'natnetworks', csv: natNetworkCsv },
})
