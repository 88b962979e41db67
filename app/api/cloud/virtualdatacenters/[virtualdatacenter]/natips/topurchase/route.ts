import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { listFreeIps } from '#lib/cloud/nat/attachments.server'
import { natIpOrders } from '#lib/cloud/nat/ips.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listFreeIps, {
  summary: 'List the NAT IPs that a virtual datacenter may attach',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: pageQuery(...natIpOrders),
  asOf: true,
  answers: { as: 'natips' },
})
