import { virtualApplianceInput } from '#lib/machines/virtual-appliances.schema'
import {
  removeVirtualAppliance,
  updateVirtualAppliance,
  virtualApplianceTarget,
} from '#lib/machines/virtual-appliances.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual appliance',
  anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
  target: virtualApplianceTarget,
  answers: 'virtualappliance',
})

export const PUT = writes(
  {
    summary: 'Change a virtual appliance',
    anyOf: ['VDC_MANAGE_VAPP'],
    target: virtualApplianceTarget,
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
    target: virtualApplianceTarget,
    refuses: ['VAPP-1'],
    ownAccount: 'never',
    event: 'virtualappliance',
  },
  removeVirtualAppliance,
)
