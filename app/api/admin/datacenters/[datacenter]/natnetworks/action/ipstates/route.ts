import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { readIpStates } from '#lib/cloud/nat/ip-states.server'
import { ipStatesQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readIpStates, {
  summary: 'Count the IPs in each state',
  who: { anyOf: kinds.natip.readers },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: ipStatesQuery,
  asOf: true,
  answers: { as: 'natipstates' },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
