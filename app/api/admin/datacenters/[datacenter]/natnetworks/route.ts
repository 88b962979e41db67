import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { listNetworks } from '#lib/cloud/nat/network-lists.server'
import { natNetworkCsv } from '#lib/cloud/nat/networks.csv'
import { natNetworkInput, natNetworkListQuery } from '#lib/cloud/nat/networks.schema'
import { createNetwork, networkReferences } from '#lib/cloud/nat/networks.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

const anyOf = kinds.natnetwork.readers
export const GET = reads(listNetworks, {
  summary: 'List the NAT networks of a datacenter',
  who: { anyOf },
  target: datacenterTarget,
  query: natNetworkListQuery,
  asOf: true,
  answers: { as: 'natnetworks', csv: natNetworkCsv },
})

export const POST = writes(createNetwork, {
  summary: 'Create a NAT network',
  who: { anyOf, ownAccount: 'never' },
  target: datacenterTarget,
  takes: { as: 'natnetwork', body: natNetworkInput, references: networkReferences },
  answers: { as: 'natnetwork' },
  event: 'natnetwork',
  refuses: ['NAT-NET-0', 'NAT-NET-2', 'NAT-NET-5', 'NAT-NET-6', 'NETDEVICE-1'],
})
