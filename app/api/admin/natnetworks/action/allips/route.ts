import { kinds } from '#lib/caller/kinds/kinds'
import { natIpCsv } from '#lib/cloud/nat/ips.csv'
import { allIpQuery } from '#lib/cloud/nat/ips.schema'
import { listIps } from '#lib/cloud/nat/ips.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of the NAT networks of all datacenters',
  who: { anyOf: kinds.natip.readers },
  query: allIpQuery,
  asOf: true,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
