import { listHeldIps } from '#lib/cloud/nat/attachments.server'
import { heldIpQuery } from '#lib/cloud/nat/ips.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listHeldIps, {
  summary: 'List the NAT IPs of all virtual datacenters',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  query: heldIpQuery,
  asOf: true,
  answers: { as: 'natips' },
})
