import { machineRuleTarget, removeMachineRule, updateMachineRule } from '#lib/cloud/machines/natrules.server'
import { natRuleInput, natRuleUpdateRefusals } from '#lib/cloud/nat/rules.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT rule',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'] },
  target: machineRuleTarget,
  asOf: true,
  answers: { as: 'natrule' },
})

export const PUT = writes(updateMachineRule, {
  summary: 'Enable or disable a NAT rule, or change its ports',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: machineRuleTarget,
  takes: { as: 'natrule', body: natRuleInput },
  answers: { as: 'natrule' },
  event: 'natrule',
  refuses: natRuleUpdateRefusals,
})

export const DELETE = writes(removeMachineRule, {
  summary: 'Delete a NAT rule',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: machineRuleTarget,
  event: 'natrule',
})
