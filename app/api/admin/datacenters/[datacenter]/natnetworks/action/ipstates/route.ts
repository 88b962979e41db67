import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { kinds } from '#lib/kinds/kinds'
import { readIpStates } from '#lib/nat/ip-states.server'
import { ipStatesQuery } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readIpStates, {
  summary: 'Count the IPs in each state',
  who: { anyOf: kinds.natip.readers },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: ipStatesQuery,
  answers: { as: 'natipstates' },
  refuses: ['NAT-NET-1'],
})
