import { machineReferences, removeMachine, updateMachine } from '#lib/machines/machine-changes.server'
import { virtualMachineInput } from '#lib/machines/machines.schema'
import { machineTarget } from '#lib/machines/machines.server'
import { natRuleRefusals } from '#lib/nat/rules.schema'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual machine',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: machineTarget,
  asOf: true,
  answers: { as: 'virtualmachine' },
})

export const PUT = writes(updateMachine, {
  summary: 'Change a virtual machine',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: machineTarget,
  takes: { as: 'virtualmachine', body: virtualMachineInput, references: machineReferences },
  answers: { as: 'virtualmachine' },
  event: 'virtualmachine',
  refuses: ['USER-0', 'TEMPLATE-0', 'PRIVATEIP-0', 'PRIVATEIP-1', ...natRuleRefusals],
})

export const DELETE = writes(removeMachine, {
  summary: 'Delete a virtual machine',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: machineTarget,
  event: 'virtualmachine',
})
