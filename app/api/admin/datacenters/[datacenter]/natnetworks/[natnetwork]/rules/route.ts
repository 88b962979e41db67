import { natRuleCsv } from '#lib/nat/rules.csv'
import { networkRuleQuery } from '#lib/nat/rules.schema'
import { listRules } from '#lib/nat/rules.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the rules of a NAT network',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    target: { ids: { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' } },
    query: networkRuleQuery,
    answers: 'natrules',
    refuses: ['EN-0', 'VM-0'],
    csv: natRuleCsv,
  },
  (context) =>
    listRules(
      context,
      { datacenter: context.params.datacenter, network: context.params.natnetwork },
      context.query,
    ),
)
