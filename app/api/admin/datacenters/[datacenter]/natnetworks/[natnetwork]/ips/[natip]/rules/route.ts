import { ipTarget } from '#lib/cloud/nat/ips.server'
import { natRuleCsv } from '#lib/cloud/nat/rules.csv'
import { ruleQuery } from '#lib/cloud/nat/rules.schema'
import { listRulesOfIp } from '#lib/cloud/nat/rules.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRulesOfIp, {
  summary: 'List the rules of a NAT IP',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: ipTarget.ids, seen: ipTarget.find },
  query: ruleQuery,
  asOf: true,
  answers: { as: 'natrules', csv: natRuleCsv },
})
