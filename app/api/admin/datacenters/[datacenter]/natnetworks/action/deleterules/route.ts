import { deleteManyRules } from '#lib/cloud/machines/bulk-rules.server'
import { bulkDatacenter } from '#lib/cloud/nat/bulk-ips.server'
import { bulkInput, bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(deleteManyRules, {
  summary: 'Delete many NAT rules',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: bulkInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natrule.delete',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VM-0', 'EVENT-0'],
})
