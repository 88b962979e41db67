import { privateIpInput } from '#lib/machines/private-ips.schema'
import { privateIpTarget, removePrivateIp, updatePrivateIp } from '#lib/machines/private-ips.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a private IP',
  anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
  target: privateIpTarget,
  answers: 'privateip',
})

export const PUT = writes(
  {
    summary: 'Change a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: privateIpTarget,
    takes: 'privateip',
    body: privateIpInput,
    answers: 'privateip',
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  updatePrivateIp,
)

export const DELETE = writes(
  {
    summary: 'Delete a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: privateIpTarget,
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  removePrivateIp,
)
