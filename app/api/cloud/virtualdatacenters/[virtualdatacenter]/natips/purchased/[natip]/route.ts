import { ipAroundTarget, releaseIp } from '#lib/cloud/nat/attachments.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const PUT = writes(releaseIp, {
  summary: 'Release a NAT IP from a virtual datacenter',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: ipAroundTarget,
  answers: { as: 'natip' },
  event: { entity: 'natip', action: 'release' },
  refuses: ['NAT-IP-3', 'NAT-IP-8', 'NAT-IP-14'],
})
