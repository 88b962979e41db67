import { readers } from '#lib/auth/readers'
import { reads } from '#lib/http/endpoint.server'
import { readIpPosition } from '#lib/nat/ip-position.server'
import { ipPositionQuery } from '#lib/nat/ips.schema'

export const GET = reads(
  {
    summary: 'Tell where an address stands in the list of IPs',
    anyOf: readers.natip,
    ids: { datacenter: 'DC-0' },
    query: ipPositionQuery,
    answers: 'natipposition',
    refuses: ['CONSTR-PATTERN', 'NAT-NET-1', 'EN-0', 'VDC-0'],
  },
  (context) => readIpPosition(context, context.params.datacenter, context.query),
)
