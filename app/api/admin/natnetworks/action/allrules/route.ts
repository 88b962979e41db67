import { natRuleCsv } from '#lib/cloud/nat/rules.csv'
import { allRuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRules } from '#lib/cloud/nat/rules.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRules, {
  summary: 'List the rules of the NAT networks of all datacenters',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  query: allRuleQuery,
  asOf: true,
  answers: { as: 'natrules', csv: natRuleCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VM-0'],
})
