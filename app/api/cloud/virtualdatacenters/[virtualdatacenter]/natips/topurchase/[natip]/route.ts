import { attachIp, ipAroundTarget } from '#lib/nat/attachments.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const PUT = writes(
  {
    summary: 'Attach a free NAT IP to a virtual datacenter',
    anyOf: ['MANAGE_NATIPS'],
    target: ipAroundTarget,
    answers: 'natip',
    refuses: ['NAT-IP-13'],
    ownAccount: 'never',
    event: { entity: 'natip', action: 'attach' },
  },
  attachIp,
)
