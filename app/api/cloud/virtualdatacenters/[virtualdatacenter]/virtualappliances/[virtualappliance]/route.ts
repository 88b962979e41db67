import { virtualApplianceInput } from '#lib/machines/virtual-appliances.schema'
import {
  readVirtualAppliance,
  removeVirtualAppliance,
  updateVirtualAppliance,
} from '#lib/machines/virtual-appliances.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0', virtualappliance: 'VAPP-0' } as const

export const GET = reads(
  {
    summary: 'Read a virtual appliance',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids,
    answers: 'virtualappliance',
  },
  readVirtualAppliance,
)

export const PUT = writes(
  {
    summary: 'Change a virtual appliance',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readVirtualAppliance,
    takes: 'virtualappliance',
    body: virtualApplianceInput,
    answers: 'virtualappliance',
    ownAccount: 'never',
    event: 'virtualappliance',
  },
  updateVirtualAppliance,
)

export const DELETE = writes(
  {
    summary: 'Delete a virtual appliance',
    anyOf: ['VDC_MANAGE_VAPP'],
    ids,
    exists: readVirtualAppliance,
    refuses: ['VAPP-1'],
    ownAccount: 'never',
    event: 'virtualappliance',
  },
  removeVirtualAppliance,
)
