import { kinds } from '#lib/caller/kinds/kinds'
import { listAllNetworks } from '#lib/cloud/nat/network-lists.server'
import { natNetworkCsv } from '#lib/cloud/nat/networks.csv'
import { allNatNetworkListQuery } from '#lib/cloud/nat/networks.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listAllNetworks(context, context.query), {
  summary: 'List the NAT networks of all datacenters',
  who: { anyOf: kinds.natnetwork.readers },
  query: allNatNetworkListQuery,
  asOf: true,
  answers: { as: 'natnetworks', csv: natNetworkCsv },
})
