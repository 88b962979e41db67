import { changeManyRules } from '#lib/cloud/machines/bulk-rules.server'
import { bulkDatacenter } from '#lib/cloud/nat/bulk-ips.server'
import { natRulesChangeInput } from '#lib/cloud/nat/rules.schema'
import { bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(changeManyRules, {
  summary: 'Enable or disable many NAT rules',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: bulkDatacenter,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: natRulesChangeInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'natrule.update',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'NAT-NET-1', 'EN-0', 'VM-0', 'EVENT-0'],
})
