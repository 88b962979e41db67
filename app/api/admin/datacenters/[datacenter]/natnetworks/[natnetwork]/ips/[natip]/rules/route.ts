import { ipTarget } from '#lib/nat/ips.server'
import { natRuleCsv } from '#lib/nat/rules.csv'
import { ruleQuery } from '#lib/nat/rules.schema'
import { listRulesOfIp } from '#lib/nat/rules.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listRulesOfIp, {
  summary: 'List the rules of a NAT IP',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: ipTarget.ids, seen: ipTarget.find },
  query: ruleQuery,
  answers: { as: 'natrules', csv: natRuleCsv },
})
