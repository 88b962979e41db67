import { machineRuleTarget, removeMachineRule } from '#lib/cloud/machines/natrules.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT rule',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'] },
  target: machineRuleTarget,
  asOf: true,
  answers: { as: 'natrule' },
})

export const DELETE = writes(removeMachineRule, {
  summary: 'Delete a NAT rule',
  who: { anyOf: ['VAPP_CUSTOMISE_SETTINGS'], ownAccount: 'never' },
  target: machineRuleTarget,
  event: 'natrule',
})
