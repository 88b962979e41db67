import { pageQuery } from '#lib/http/paging'
import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { listFreeIps } from '#lib/nat/attachments.server'
import { natIpOrders } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listFreeIps, {
  summary: 'List the NAT IPs that a virtual datacenter may attach',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: pageQuery(...natIpOrders),
  answers: { as: 'natips' },
})
