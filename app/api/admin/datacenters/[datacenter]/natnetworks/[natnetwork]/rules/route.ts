import { networkTarget } from '#lib/nat/networks.server'
import { natRuleCsv } from '#lib/nat/rules.csv'
import { networkRuleQuery } from '#lib/nat/rules.schema'
import { listRules } from '#lib/nat/rules.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listRules, {
  summary: 'List the rules of a NAT network',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: networkTarget.ids, seen: networkTarget.find },
  query: networkRuleQuery,
  answers: { as: 'natrules', csv: natRuleCsv },
  refuses: ['EN-0', 'VM-0'],
})
