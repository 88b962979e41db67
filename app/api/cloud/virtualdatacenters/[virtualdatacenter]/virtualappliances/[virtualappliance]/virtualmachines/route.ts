import { pageQuery } from '#lib/http/paging'
import { createMachine, newMachineReferences } from '#lib/machines/machine-changes.server'
import { listMachines } from '#lib/machines/machine-lists.server'
import { virtualMachineInput, virtualMachineOrders } from '#lib/machines/machines.schema'
import { virtualApplianceTarget } from '#lib/machines/virtual-appliances.server'
import { natRuleRefusals } from '#lib/nat/rules.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the virtual machines of a virtual appliance',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    target: virtualApplianceTarget,
    query: pageQuery(...virtualMachineOrders),
    answers: 'virtualmachines',
  },
  listMachines,
)

export const POST = writes(
  {
    summary: 'Create a virtual machine',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: virtualApplianceTarget,
    takes: 'virtualmachine',
    body: virtualMachineInput,
    references: newMachineReferences,
    answers: 'virtualmachine',
    refuses: ['USER-0', 'TEMPLATE-0', 'PRIVATEIP-0', 'PRIVATEIP-1', ...natRuleRefusals],
    ownAccount: 'never',
    event: 'virtualmachine',
  },
  createMachine,
)
