import { natRuleCsv } from '#lib/nat/rules.csv'
import { allRuleQuery } from '#lib/nat/rules.schema'
import { listRules } from '#lib/nat/rules.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listRules, {
  summary: 'List the rules of the NAT networks of all datacenters',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  query: allRuleQuery,
  answers: { as: 'natrules', csv: natRuleCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VM-0'],
})
