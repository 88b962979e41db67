import { bulkDatacenter, releaseIps } from '#lib/cloud/nat/bulk-ips.server'
import { bulkInput, bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(releaseIps, {
  summary: 'Release many NAT IPs from their virtual datacenters',
  who: { anyOf: ['MANAGE_NATIPS'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: bulkInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natip.release',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VDC-0', 'EVENT-0'],
})
