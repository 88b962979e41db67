import { ipAroundTarget, releaseIp } from '#lib/nat/attachments.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const PUT = writes(
  {
    summary: 'Release a NAT IP from a virtual datacenter',
    anyOf: ['MANAGE_NATIPS'],
    target: ipAroundTarget,
    answers: 'natip',
    refuses: ['NAT-IP-3', 'NAT-IP-8', 'NAT-IP-14'],
    ownAccount: 'never',
    event: { entity: 'natip', action: 'release' },
  },
  releaseIp,
)
