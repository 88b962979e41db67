import { attachManyIps, bulkDatacenter } from '#lib/cloud/nat/bulk-ips.server'
import { natIpsAttachInput } from '#lib/cloud/nat/ips.schema'
import { bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(attachManyIps, {
  summary: 'Attach many NAT IPs to a virtual datacenter',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: natIpsAttachInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natip.attach',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VDC-0', 'EVENT-0'],
})
