import { attachIp, readIpAround } from '#lib/nat/attachments.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const PUT = writes(
  {
    summary: 'Attach a free NAT IP to a virtual datacenter',
    anyOf: ['MANAGE_NATIPS'],
    ids: { virtualdatacenter: 'VDC-0', natip: 'NAT-IP-0' },
    exists: readIpAround,
    answers: 'natip',
    refuses: ['NAT-IP-13'],
    ownAccount: 'never',
    event: { entity: 'natip', action: 'attach' },
  },
  attachIp,
)
