import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { natIpCsv } from '#lib/cloud/nat/ips.csv'
import { datacenterIpQuery } from '#lib/cloud/nat/ips.schema'
import { listIps } from '#lib/cloud/nat/ips.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of all NAT networks of a datacenter',
  who: { anyOf: kinds.natip.readers },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: datacenterIpQuery,
  asOf: true,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
