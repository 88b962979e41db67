import { reads, writes } from '#lib/http/endpoint.server'
import { pageQuery } from '#lib/http/paging'
import { readDatacenter } from '#lib/infrastructure/datacenters.server'
import { natNetworkInput } from '#lib/nat/networks.schema'
import { createNetwork, listNetworks, networkOrders, networkReferences } from '#lib/nat/networks.server'

const anyOf = ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'] as const
const ids = { datacenter: 'DC-0' } as const

export const GET = reads(
  {
    summary: 'List the NAT networks of a datacenter',
    anyOf,
    ids,
    query: pageQuery(...networkOrders),
    answers: 'natnetworks',
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
    event: 'natnetwork',
  },
  createNetwork,
)
