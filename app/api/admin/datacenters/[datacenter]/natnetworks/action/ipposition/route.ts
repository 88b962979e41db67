import { readers } from '#lib/auth/readers'
import { readIpPosition } from '#lib/nat/ip-position.server'
import { ipPositionQuery } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Find the position of an address in the list of IPs',
    anyOf: readers.natip,
    target: { ids: { datacenter: 'DC-0' } },
    query: ipPositionQuery,
    answers: 'natipposition',
    refuses: ['CONSTR-PATTERN', 'NAT-NET-1', 'EN-0', 'VDC-0'],
  },
  (context) => readIpPosition(context, context.params.datacenter, context.query),
)
