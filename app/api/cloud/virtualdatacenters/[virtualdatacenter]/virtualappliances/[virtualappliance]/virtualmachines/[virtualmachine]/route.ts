import { machineReferences, removeMachine, updateMachine } from '#lib/machines/machine-changes.server'
import { virtualMachineInput } from '#lib/machines/machines.schema'
import { machineTarget } from '#lib/machines/machines.server'
import { natRuleRefusals } from '#lib/nat/rules.schema'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual machine',
  anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
  target: machineTarget,
  answers: 'virtualmachine',
})

export const PUT = writes(
  {
    summary: 'Change a virtual machine',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: machineTarget,
    takes: 'virtualmachine',
    body: virtualMachineInput,
    references: machineReferences,
    answers: 'virtualmachine',
    refuses: ['USER-0', 'TEMPLATE-0', 'PRIVATEIP-0', 'PRIVATEIP-1', ...natRuleRefusals],
    ownAccount: 'never',
    event: 'virtualmachine',
  },
  updateMachine,
)

export const DELETE = writes(
  {
    summary: 'Delete a virtual machine',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: machineTarget,
    ownAccount: 'never',
    event: 'virtualmachine',
  },
  removeMachine,
)
