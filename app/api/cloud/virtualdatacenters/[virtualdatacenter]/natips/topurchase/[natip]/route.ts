import { attachIp, ipAroundTarget } from '#lib/cloud/nat/attachments.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const PUT = writes(attachIp, {
  summary: 'Attach a free NAT IP to a virtual datacenter',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: ipAroundTarget,
  answers: { as: 'natip' },
  event: { entity: 'natip', action: 'attach' },
  refuses: ['NAT-IP-13'],
})
