import { attachIp, ipAroundTarget } from '#lib/cloud/nat/attachments.server'
import { natIpAttachInput } from '#lib/cloud/nat/ips.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const PUT = writes(attachIp, {
  summary: 'Attach a free NAT IP to a virtual datacenter, for good or until an end',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: ipAroundTarget,
  takes: { as: 'natip', body: natIpAttachInput, optional: true },
  answers: { as: 'natip' },
  event: { entity: 'natip', action: 'attach' },
  refuses: ['ENDS-1', 'NAT-IP-13'],
})
