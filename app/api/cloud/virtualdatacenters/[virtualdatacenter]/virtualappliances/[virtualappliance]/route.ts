import { virtualApplianceInput } from '#lib/cloud/machines/virtual-appliances.schema'
import {
  removeVirtualAppliance,
  updateVirtualAppliance,
  virtualApplianceTarget,
} from '#lib/cloud/machines/virtual-appliances.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual appliance',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: virtualApplianceTarget,
  asOf: true,
  answers: { as: 'virtualappliance' },
})

export const PUT = writes(updateVirtualAppliance, {
  summary: 'Change a virtual appliance',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: virtualApplianceTarget,
  takes: { as: 'virtualappliance', body: virtualApplianceInput },
  answers: { as: 'virtualappliance' },
  event: 'virtualappliance',
})

export const DELETE = writes(removeVirtualAppliance, {
  summary: 'Delete a virtual appliance',
  who: { anyOf: ['VDC_MANAGE_VAPP'], ownAccount: 'never' },
  target: virtualApplianceTarget,
  event: 'virtualappliance',
  refuses: ['VAPP-1'],
})
