import { natNetworkInput } from '#lib/cloud/nat/networks.schema'
import {
  networkReferences,
  networkTarget,
  removeNetwork,
  updateNetwork,
} from '#lib/cloud/nat/networks.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT network',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'] },
  target: networkTarget,
  asOf: true,
  answers: { as: 'natnetwork' },
})

export const PUT = writes(updateNetwork, {
  summary: 'Change a NAT network',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: networkTarget,
  takes: { as: 'natnetwork', body: natNetworkInput, references: networkReferences },
  answers: { as: 'natnetwork' },
  event: 'natnetwork',
  refuses: ['NAT-NET-0', 'NAT-NET-2', 'NAT-NET-4', 'NAT-NET-5', 'NAT-NET-6', 'NETDEVICE-1'],
})

export const DELETE = writes(removeNetwork, {
  summary: 'Delete a NAT network',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: networkTarget,
  event: 'natnetwork',
  refuses: ['NAT-NET-4'],
})
