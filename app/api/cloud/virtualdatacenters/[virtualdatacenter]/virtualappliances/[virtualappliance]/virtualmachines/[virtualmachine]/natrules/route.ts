import { machineTarget } from '#lib/cloud/machines/machines.server'
import { createMachineRule, listMachineRules } from '#lib/cloud/machines/natrules.server'
import { natRuleInput, natRuleRefusals, ruleQuery } from '#lib/cloud/nat/rules.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listMachineRules, {
  summary: 'List the NAT rules of a virtual machine',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'] },
  target: machineTarget,
  query: ruleQuery,
  asOf: true,
  answers: { as: 'natrules' },
})

export const POST = writes(createMachineRule, {
  summary: 'Create a NAT rule of a virtual machine',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: machineTarget,
  takes: { as: 'natrule', body: natRuleInput },
  answers: { as: 'natrule' },
  event: 'natrule',
  refuses: natRuleRefusals,
})
