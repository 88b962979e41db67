import { kinds } from '#lib/kinds/kinds'
import { readIpStates } from '#lib/nat/ip-states.server'
import { allIpStatesQuery } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readIpStates, {
  summary: 'Count the IPs of all datacenters in each state',
  who: { anyOf: kinds.natip.readers },
  query: allIpStatesQuery,
  answers: { as: 'natipstates' },
  refuses: ['NAT-NET-1'],
})
