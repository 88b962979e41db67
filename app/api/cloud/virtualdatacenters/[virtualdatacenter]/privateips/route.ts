import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { privateIpInput, privateIpOrders } from '#lib/cloud/machines/private-ips.schema'
import { createPrivateIp, listPrivateIps } from '#lib/cloud/machines/private-ips.server'
import { pageQuery } from '#lib/ground/http/paging'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listPrivateIps, {
  summary: 'List the private IPs of a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: virtualDatacenterTarget,
  query: pageQuery(...privateIpOrders),
  asOf: true,
  answers: { as: 'privateips' },
})

export const POST = writes(createPrivateIp, {
  summary: 'Create a private IP',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: virtualDatacenterTarget,
  takes: { as: 'privateip', body: privateIpInput },
  answers: { as: 'privateip' },
  event: 'privateip',
  refuses: ['PRIVATEIP-1'],
})
