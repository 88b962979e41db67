import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { listAttachedIps } from '#lib/cloud/nat/attachments.server'
import { attachedIpQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listAttachedIps(context, 'natips/purchased'), {
  summary: 'List the NAT IPs that are attached to a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: attachedIpQuery,
  asOf: true,
  answers: { as: 'natips' },
})
