import { kinds } from '#lib/kinds/kinds'
import { natIpCsv } from '#lib/nat/ips.csv'
import { allIpQuery } from '#lib/nat/ips.schema'
import { listIps } from '#lib/nat/ips.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of the NAT networks of all datacenters',
  who: { anyOf: kinds.natip.readers },
  query: allIpQuery,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
