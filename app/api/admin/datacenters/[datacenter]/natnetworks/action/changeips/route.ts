import { bulkDatacenter, changeIps } from '#lib/cloud/nat/bulk-ips.server'
import { natIpsChangeInput } from '#lib/cloud/nat/ips.schema'
import { bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(changeIps, {
  summary: 'Make many NAT IPs available or not, put them in quarantine or take them out',
  who: { anyOf: ['PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: natIpsChangeInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natip.update',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VDC-0', 'EVENT-0'],
})
