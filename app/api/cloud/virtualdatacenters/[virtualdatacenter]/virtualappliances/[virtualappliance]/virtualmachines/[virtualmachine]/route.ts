import { machineReferences, removeMachine, updateMachine } from '#lib/cloud/machines/machine-changes.server'
import { virtualMachineInput } from '#lib/cloud/machines/machines.schema'
import { machineTarget } from '#lib/cloud/machines/machines.server'
import { natRuleRefusals } from '#lib/cloud/nat/rules.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

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
