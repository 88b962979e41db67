import { pageQuery } from '#lib/http/paging'
import { createMachine, newMachineReferences } from '#lib/machines/machine-changes.server'
import { listMachines } from '#lib/machines/machine-lists.server'
import { virtualMachineInput, virtualMachineOrders } from '#lib/machines/machines.schema'
import { readVirtualAppliance } from '#lib/machines/virtual-appliances.server'
import { natRuleRefusals } from '#lib/nat/rules.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0', virtualappliance: 'VAPP-0' } as const

export const GET = reads(
  {
    summary: 'List the virtual machines of a virtual appliance',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids,
    query: pageQuery(...virtualMachineOrders),
    answers: 'virtualmachines',
  },
  (context) => listMachines(context, context.params, context.query),
)

export const POST = writes(
  {
    summary: 'Create a virtual machine',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readVirtualAppliance,
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
