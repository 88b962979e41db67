import { readAttachedIp, readIpAround, setDefaultSnat } from '#lib/nat/attachments.server'
import { natIpDefaultInput } from '#lib/nat/ips.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0', natip: 'NAT-IP-0' } as const

export const GET = reads(
  {
    summary: 'Read a NAT IP of a virtual datacenter',
    anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'],
    ids,
    answers: 'natip',
  },
  readAttachedIp,
)

export const PUT = writes(
  {
    summary: 'Make a NAT IP the default SNAT of its virtual datacenter',
    anyOf: ['MANAGE_NATIPS'],
    ids,
    exists: readIpAround,
    takes: 'natip',
    body: natIpDefaultInput,
    answers: 'natip',
    refuses: ['NAT-IP-8', 'NAT-IP-15'],
    ownAccount: 'never',
    event: 'natip',
  },
  setDefaultSnat,
)
