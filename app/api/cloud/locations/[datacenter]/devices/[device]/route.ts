import { deviceReferences, removeDevice, updateDevice } from '#lib/cloud/infrastructure/device-changes.server'
import { deviceInput } from '#lib/cloud/infrastructure/devices.schema'
import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a device',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'] },
  target: deviceTarget,
  asOf: true,
  answers: { as: 'device' },
})

export const PUT = writes(updateDevice, {
  summary: 'Change a device',
  who: { anyOf: ['MANAGE_DEVICES'], ownAccount: 'never' },
  target: deviceTarget,
  takes: { as: 'device', body: deviceInput, references: deviceReferences },
  answers: { as: 'device' },
  event: 'device',
  refuses: ['NETDEVICE-2', 'NETDEVICE-3', 'DEVICETYPE-1'],
})

export const DELETE = writes(removeDevice, {
  summary: 'Delete a device',
  who: { anyOf: ['MANAGE_DEVICES'], ownAccount: 'never' },
  target: deviceTarget,
  event: 'device',
  refuses: ['NETDEVICE-3'],
})
