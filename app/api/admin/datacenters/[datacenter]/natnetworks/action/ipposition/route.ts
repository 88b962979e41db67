import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { readIpPosition } from '#lib/cloud/nat/ip-position.server'
import { ipPositionQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readIpPosition, {
  summary: 'Find the position of an address in the list of IPs',
  who: { anyOf: kinds.natip.readers },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: ipPositionQuery,
  asOf: true,
  answers: { as: 'natipposition' },
  refuses: ['CONSTR-PATTERN', 'NAT-NET-1', 'EN-0', 'VDC-0'],
})
