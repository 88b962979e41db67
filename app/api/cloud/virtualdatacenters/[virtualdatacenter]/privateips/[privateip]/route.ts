import { privateIpInput } from '#lib/cloud/machines/private-ips.schema'
import { privateIpTarget, removePrivateIp, updatePrivateIp } from '#lib/cloud/machines/private-ips.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a private IP',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: privateIpTarget,
  asOf: true,
  answers: { as: 'privateip' },
})

export const PUT = writes(updatePrivateIp, {
  summary: 'Change a private IP',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: privateIpTarget,
  takes: { as: 'privateip', body: privateIpInput },
  answers: { as: 'privateip' },
  event: 'privateip',
  refuses: ['PRIVATEIP-1'],
})

export const DELETE = writes(removePrivateIp, {
  summary: 'Delete a private IP',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: privateIpTarget,
  event: 'privateip',
  refuses: ['PRIVATEIP-1'],
})
