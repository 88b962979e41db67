import { natNetworkInput } from '#lib/nat/networks.schema'
import { networkReferences, networkTarget, removeNetwork, updateNetwork } from '#lib/nat/networks.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT network',
  anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'],
  target: networkTarget,
  answers: 'natnetwork',
})

export const PUT = writes(
  {
    summary: 'Change a NAT network',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    target: networkTarget,
    takes: 'natnetwork',
    body: natNetworkInput,
    references: networkReferences,
    answers: 'natnetwork',
    refuses: ['NAT-NET-0', 'NAT-NET-2', 'NAT-NET-4', 'NAT-NET-5', 'NAT-NET-6', 'NETDEVICE-1'],
    ownAccount: 'never',
    event: 'natnetwork',
  },
  updateNetwork,
)

export const DELETE = writes(
  {
    summary: 'Delete a NAT network',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    target: networkTarget,
    refuses: ['NAT-NET-4'],
    ownAccount: 'never',
    event: 'natnetwork',
  },
  removeNetwork,
)
