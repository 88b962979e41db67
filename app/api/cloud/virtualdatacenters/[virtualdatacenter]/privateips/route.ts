import { pageQuery } from '#lib/http/paging'
import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { privateIpInput, privateIpOrders } from '#lib/machines/private-ips.schema'
import { createPrivateIp, listPrivateIps } from '#lib/machines/private-ips.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the private IPs of a virtual datacenter',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    target: virtualDatacenterTarget,
    query: pageQuery(...privateIpOrders),
    answers: 'privateips',
  },
  listPrivateIps,
)

export const POST = writes(
  {
    summary: 'Create a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: virtualDatacenterTarget,
    takes: 'privateip',
    body: privateIpInput,
    answers: 'privateip',
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  createPrivateIp,
)
