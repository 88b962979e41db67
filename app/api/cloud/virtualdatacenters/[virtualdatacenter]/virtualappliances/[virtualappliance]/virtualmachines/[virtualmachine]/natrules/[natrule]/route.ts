import { readMachineRule, removeMachineRule } from '#lib/machines/natrules.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = {
  virtualdatacenter: 'VDC-0',
  virtualappliance: 'VAPP-0',
  virtualmachine: 'VM-0',
  natrule: 'NAT-RULE-0',
} as const

export const GET = reads(
  {
    summary: 'Read a NAT rule',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'],
    ids,
    answers: 'natrule',
  },
  readMachineRule,
)

export const DELETE = writes(
  {
    summary: 'Delete a NAT rule',
    anyOf: ['VAPP_CUSTOMISE_SETTINGS'],
    ids,
    exists: readMachineRule,
    ownAccount: 'never',
    event: 'natrule',
  },
  removeMachineRule,
)
