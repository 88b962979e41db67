import { natIpInput } from '#lib/cloud/nat/ips.schema'
import { ipTarget, removeIp, updateIp } from '#lib/cloud/nat/ips.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT IP',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: ipTarget,
  asOf: true,
  answers: { as: 'natip' },
})

export const PUT = writes(updateIp, {
  summary: 'Make a NAT IP available or not, put it in quarantine or take it out',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: ipTarget,
  takes: { as: 'natip', body: natIpInput },
  answers: { as: 'natip' },
  event: 'natip',
  refuses: ['NAT-IP-4'],
})

export const DELETE = writes(removeIp, {
  summary: 'Delete a NAT IP',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: ipTarget,
  event: 'natip',
  refuses: ['NAT-IP-3', 'NAT-IP-12'],
})
