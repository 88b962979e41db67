import { readers } from '#lib/auth/readers'
import { readDatacenter } from '#lib/infrastructure/datacenters.server'
import { listNetworks } from '#lib/nat/network-lists.server'
import { natNetworkCsv } from '#lib/nat/networks.csv'
import { natNetworkInput, natNetworkListQuery } from '#lib/nat/networks.schema'
import { createNetwork, networkReferences } from '#lib/nat/networks.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const anyOf = readers.natnetwork
const ids = { datacenter: 'DC-0' } as const

export const GET = reads(
  {
    summary: 'List the NAT networks of a datacenter',
    anyOf,
    ids,
    query: natNetworkListQuery,
    answers: 'natnetworks',
    csv: natNetworkCsv,
  },
  (context) => listNetworks(context, context.params.datacenter, context.query),
)

export const POST = writes(
  {
    summary: 'Create a NAT network',
    anyOf,
    ids,
    exists: readDatacenter,
    takes: 'natnetwork',
    body: natNetworkInput,
    references: networkReferences,
    answers: 'natnetwork',
    refuses: ['NAT-NET-0', 'NAT-NET-2', 'NAT-NET-5', 'NAT-NET-6', 'NETDEVICE-1'],
    ownAccount: 'never',
    event: 'natnetwork',
  },
  createNetwork,
)
