import { attachedIpTarget, ipAroundTarget, setDefaultSnat } from '#lib/nat/attachments.server'
import { natIpDefaultInput } from '#lib/nat/ips.schema'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT IP of a virtual datacenter',
  anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'],
  target: attachedIpTarget,
  answers: 'natip',
})

export const PUT = writes(
  {
    summary: 'Make a NAT IP the default SNAT of its virtual datacenter',
    anyOf: ['MANAGE_NATIPS'],
    target: ipAroundTarget,
    takes: 'natip',
    body: natIpDefaultInput,
    answers: 'natip',
    refuses: ['NAT-IP-8', 'NAT-IP-15'],
    ownAccount: 'never',
    event: 'natip',
  },
  setDefaultSnat,
)
