import { bulkDatacenter, deleteIps } from '#lib/cloud/nat/bulk-ips.server'
import { bulkInput, bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(deleteIps, {
  summary: 'Delete many NAT IPs',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: bulkInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natip.delete',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VDC-0', 'EVENT-0'],
})
