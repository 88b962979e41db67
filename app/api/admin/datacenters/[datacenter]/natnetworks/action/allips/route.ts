import { readers } from '#lib/auth/readers'
import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { natIpCsv } from '#lib/nat/ips.csv'
import { datacenterIpQuery } from '#lib/nat/ips.schema'
import { listIps } from '#lib/nat/ips.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listIps, {
  summary: 'List the IPs of all NAT networks of a datacenter',
  who: { anyOf: readers.natip },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: datacenterIpQuery,
  answers: { as: 'natips', csv: natIpCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VDC-0'],
})
