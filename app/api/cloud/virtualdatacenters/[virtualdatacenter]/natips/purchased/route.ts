import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { listAttachedIps } from '#lib/nat/attachments.server'
import { attachedIpQuery } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listAttachedIps(context, 'natips/purchased'), {
  summary: 'List the NAT IPs that are attached to a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: attachedIpQuery,
  answers: { as: 'natips' },
})
