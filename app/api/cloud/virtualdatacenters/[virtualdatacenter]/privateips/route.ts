import { pageQuery } from '#lib/http/paging'
import { readVirtualDatacenter } from '#lib/infrastructure/virtual-datacenters.server'
import { privateIpInput, privateIpOrders } from '#lib/machines/private-ips.schema'
import { createPrivateIp, listPrivateIps } from '#lib/machines/private-ips.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0' } as const

export const GET = reads(
  {
    summary: 'List the private IPs of a virtual datacenter',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids,
    query: pageQuery(...privateIpOrders),
    answers: 'privateips',
  },
  (context) => listPrivateIps(context, context.params.virtualdatacenter, context.query),
)

export const POST = writes(
  {
    summary: 'Create a private IP',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readVirtualDatacenter,
    takes: 'privateip',
    body: privateIpInput,
    answers: 'privateip',
    refuses: ['PRIVATEIP-1'],
    ownAccount: 'never',
    event: 'privateip',
  },
  createPrivateIp,
)
