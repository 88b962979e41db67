import { kinds } from '#lib/caller/kinds/kinds'
import { readIpStates } from '#lib/cloud/nat/ip-states.server'
import { allIpStatesQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readIpStates, {
  summary: 'Count the IPs of all datacenters in each state',
  who: { anyOf: kinds.natip.readers },
  query: allIpStatesQuery,
  asOf: true,
  answers: { as: 'natipstates' },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
