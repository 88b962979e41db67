import { createMachine, newMachineReferences } from '#lib/cloud/machines/machine-changes.server'
import { listMachines, machineCsv } from '#lib/cloud/machines/machine-lists.server'
import { virtualMachineInput } from '#lib/cloud/machines/machines.schema'
import { virtualApplianceTarget } from '#lib/cloud/machines/virtual-appliances.server'
import { natRuleRefusals } from '#lib/cloud/nat/rules.schema'
import { changed, nameQuery } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listMachines, {
  summary: 'List the virtual machines of a virtual appliance',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: virtualApplianceTarget,
  query: nameQuery.extend({ changed, tag }),
  asOf: true,
  answers: { as: 'virtualmachines', csv: machineCsv },
})

export const POST = writes(createMachine, {
  summary: 'Create a virtual machine',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: virtualApplianceTarget,
  takes: { as: 'virtualmachine', body: virtualMachineInput, references: newMachineReferences },
  answers: { as: 'virtualmachine' },
  event: 'virtualmachine',
  refuses: ['USER-0', 'TEMPLATE-0', 'PRIVATEIP-0', 'PRIVATEIP-1', ...natRuleRefusals],
})
