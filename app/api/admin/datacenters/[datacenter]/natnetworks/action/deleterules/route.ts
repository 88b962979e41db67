import { bulkInput } from '#lib/bulk/bulk.schema'
import { deleteManyRules } from '#lib/machines/bulk-rules.server'
import { bulkDatacenter } from '#lib/nat/bulk-ips.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(deleteManyRules, {
  summary: 'Delete many NAT rules',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: bulkDatacenter,
  takes: { as: 'bulkchange', body: bulkInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VM-0', 'EVENT-0'],
})
