import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { natRuleCsv } from '#lib/cloud/nat/rules.csv'
import { datacenterRuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRules } from '#lib/cloud/nat/rules.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRules, {
  summary: 'List the rules of all NAT networks of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: datacenterRuleQuery,
  asOf: true,
  answers: { as: 'natrules', csv: natRuleCsv },
  refuses: ['NAT-NET-1', 'EN-0', 'VM-0'],
})
