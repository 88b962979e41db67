import { machineRuleTarget, removeMachineRule } from '#lib/machines/natrules.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a NAT rule',
  anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'],
  target: machineRuleTarget,
  answers: 'natrule',
})

export const DELETE = writes(
  {
    summary: 'Delete a NAT rule',
    anyOf: ['VAPP_CUSTOMISE_SETTINGS'],
    target: machineRuleTarget,
    ownAccount: 'never',
    event: 'natrule',
  },
  removeMachineRule,
)
