import { attachedIpTarget, listRulesOfAttachedIp } from '#lib/cloud/nat/attachments.server'
import { ruleQuery } from '#lib/cloud/nat/rules.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRulesOfAttachedIp, {
  summary: 'List the NAT rules of a NAT IP of a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'MANAGE_NATIPS'] },
  target: attachedIpTarget,
  query: ruleQuery,
  asOf: true,
  answers: { as: 'natrules' },
})
