import { privateIpInput } from '#lib/machines/private-ips.schema'
import { readPrivateIp, removePrivateIp, updatePrivateIp } from '#lib/machines/private-ips.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0', privateip: 'PRIVATEIP-0' } as const

export const GET = reads(
  {
    summary: 'Read a private IP',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids,
    answers: 'privateip',
  },
  readPrivateIp,
)

export const PUT = writes(
  {
    summary: 'Change a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readPrivateIp,
    takes: 'privateip',
    body: privateIpInput,
    answers: 'privateip',
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  updatePrivateIp,
)

export const DELETE = writes(
  {
    summary: 'Delete a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readPrivateIp,
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  removePrivateIp,
)
