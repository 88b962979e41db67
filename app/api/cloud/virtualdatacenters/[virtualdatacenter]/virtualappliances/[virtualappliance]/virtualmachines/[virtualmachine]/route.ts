import { machineReferences, removeMachine, updateMachine } from '#lib/machines/machine-changes.server'
import { virtualMachineInput } from '#lib/machines/machines.schema'
import { readMachine } from '#lib/machines/machines.server'
import { natRuleRefusals } from '#lib/nat/rules.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0', virtualappliance: 'VAPP-0', virtualmachine: 'VM-0' } as const

export const GET = reads(
  {
    summary: 'Read a virtual machine',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids,
    answers: 'virtualmachine',
  },
  readMachine,
)

export const PUT = writes(
  {
    summary: 'Change a virtual machine',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readMachine,
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
    ids,
    exists: readMachine,
    ownAccount: 'never',
    event: 'virtualmachine',
  },
  removeMachine,
)
