import { reads, writes } from '#lib/http/endpoint.server'
import { natNetworkInput } from '#lib/nat/networks.schema'
import { networkReferences, readNetwork, removeNetwork, updateNetwork } from '#lib/nat/networks.server'

const ids = { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' } as const

export const GET = reads(
  { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'], ids, answers: 'natnetwork' },
  readNetwork,
)

export const PUT = writes(
  {
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    ids,
    exists: readNetwork,
    takes: 'natnetwork',
    body: natNetworkInput,
    references: networkReferences,
    answers: 'natnetwork',
  },
  updateNetwork,
)

export const DELETE = writes(
  { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ids, exists: readNetwork },
  removeNetwork,
)
