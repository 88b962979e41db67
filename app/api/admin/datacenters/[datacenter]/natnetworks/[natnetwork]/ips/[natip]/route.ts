import { natIpInput } from '#lib/nat/ips.schema'
import { readIp, removeIp, updateIp } from '#lib/nat/ips.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { datacenter: 'DC-0', natnetwork: 'NAT-NET-1', natip: 'NAT-IP-0' } as const

export const GET = reads(
  { summary: 'Read a NAT IP', anyOf: ['PHYS_DC_RETRIEVE_DETAILS'], ids, answers: 'natip' },
  readIp,
)

export const PUT = writes(
  {
    summary: 'Make a NAT IP available or not, put it in quarantine or take it out',
    anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    ids,
    exists: readIp,
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
    ids,
    exists: readIp,
    refuses: ['NAT-IP-3', 'NAT-IP-12'],
    ownAccount: 'never',
    event: 'natip',
  },
  removeIp,
)
