import { kinds } from '#lib/caller/kinds/kinds'
import { readIpPosition } from '#lib/cloud/nat/ip-position.server'
import { allIpPositionQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readIpPosition, {
  summary: 'Find the position of an address in the list of all IPs',
  who: { anyOf: kinds.natip.readers },
  query: allIpPositionQuery,
  asOf: true,
  answers: { as: 'natipposition' },
  refuses: ['CONSTR-PATTERN', 'NAT-NET-1', 'EN-0', 'VDC-0'],
})
