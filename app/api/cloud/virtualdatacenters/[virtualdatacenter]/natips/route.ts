import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { listAttachedIps } from '#lib/nat/attachments.server'
import { attachedIpQuery } from '#lib/nat/ips.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listAttachedIps(context, 'natips'), {
  summary: 'List the NAT IPs of a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: { ids: virtualDatacenterTarget.ids, seen: virtualDatacenterTarget.find },
  query: attachedIpQuery,
  answers: { as: 'natips' },
})
