import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { kinds } from '#lib/kinds/kinds'
import { natIpCsv } from '#lib/nat/ips.csv'
import { datacenterIpQuery } from '#lib/nat/ips.schema'
import { listIps } from '#lib/nat/ips.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of all NAT networks of a datacenter',
  who: { anyOf: kinds.natip.readers },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: datacenterIpQuery,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
