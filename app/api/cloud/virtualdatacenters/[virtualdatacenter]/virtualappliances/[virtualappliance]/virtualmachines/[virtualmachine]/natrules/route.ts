import { machineTarget } from '#lib/machines/machines.server'
import { createMachineRule, listMachineRules } from '#lib/machines/natrules.server'
import { natRuleInput, natRuleRefusals, ruleQuery } from '#lib/nat/rules.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the NAT rules of a virtual machine',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'],
    target: machineTarget,
    query: ruleQuery,
    answers: 'natrules',
  },
  listMachineRules,
)

export const POST = writes(
  {
    summary: 'Create a NAT rule of a virtual machine',
    anyOf: ['VAPP_CUSTOMISE_SETTINGS'],
    target: machineTarget,
    takes: 'natrule',
    body: natRuleInput,
    answers: 'natrule',
    refuses: natRuleRefusals,
    ownAccount: 'never',
    event: 'natrule',
  },
  createMachineRule,
)
