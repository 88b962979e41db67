import { attachedIpTarget, ipAroundTarget, updateHeldIp } from '#lib/cloud/nat/attachments.server'
import { natIpHeldInput } from '#lib/cloud/nat/ips.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT IP of a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: attachedIpTarget,
  asOf: true,
  answers: { as: 'natip' },
})

export const PUT = writes(updateHeldIp, {
  summary: 'Make a NAT IP the default SNAT of its virtual datacenter, or set its end',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: ipAroundTarget,
  takes: { as: 'natip', body: natIpHeldInput },
  answers: { as: 'natip' },
  event: 'natip',
  refuses: ['ENDS-1', 'NAT-IP-8', 'NAT-IP-15'],
})
