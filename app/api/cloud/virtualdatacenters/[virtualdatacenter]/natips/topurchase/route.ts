import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { listFreeIps } from '#lib/cloud/nat/attachments.server'
import { freeIpQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listFreeIps, {
  summary: 'List the NAT IPs that a virtual datacenter may attach',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: freeIpQuery,
  asOf: true,
  answers: { as: 'natips' },
})
