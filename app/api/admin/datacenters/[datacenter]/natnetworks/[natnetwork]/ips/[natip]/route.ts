import { natIpInput } from '#lib/nat/ips.schema'
import { ipTarget, removeIp, updateIp } from '#lib/nat/ips.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT IP',
  anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
  target: ipTarget,
  answers: 'natip',
})

export const PUT = writes(
  {
    summary: 'Make a NAT IP available or not, put it in quarantine or take it out',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    target: ipTarget,
    takes: 'natip',
    body: natIpInput,
    answers: 'natip',
    refuses: ['NAT-IP-4'],
    ownAccount: 'never',
    event: 'natip',
  },
  updateIp,
)

export const DELETE = writes(
  {
    summary: 'Delete a NAT IP',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    target: ipTarget,
    refuses: ['NAT-IP-3', 'NAT-IP-12'],
    ownAccount: 'never',
    event: 'natip',
  },
  removeIp,
)
