import { networkTarget } from '#lib/cloud/nat/networks.server'
import { natRuleCsv } from '#lib/cloud/nat/rules.csv'
import { networkRuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRules } from '#lib/cloud/nat/rules.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRules, {
  summary: 'List the rules of a NAT network',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: networkTarget.ids, seen: networkTarget.find },
  query: networkRuleQuery,
  asOf: true,
  answers: { as: 'natrules', csv: natRuleCsv },
  refuses: ['EN-0', 'VM-0'],
})
