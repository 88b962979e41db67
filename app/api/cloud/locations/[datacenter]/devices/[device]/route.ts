import { deviceReferences, removeDevice, updateDevice } from '#lib/infrastructure/device-changes.server'
import { deviceInput } from '#lib/infrastructure/devices.schema'
import { deviceTarget } from '#lib/infrastructure/devices.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a device',
  anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
  target: deviceTarget,
  answers: 'device',
})

export const PUT = writes(
  {
    summary: 'Change a device',
    anyOf: ['MANAGE_DEVICES'],
    target: deviceTarget,
    takes: 'device',
    body: deviceInput,
    references: deviceReferences,
    answers: 'device',
    refuses: ['NETDEVICE-2', 'NETDEVICE-3', 'DEVICETYPE-1'],
    ownAccount: 'never',
    event: 'device',
  },
  updateDevice,
)

export const DELETE = writes(
  {
    summary: 'Delete a device',
    anyOf: ['MANAGE_DEVICES'],
    target: deviceTarget,
    refuses: ['NETDEVICE-3'],
    ownAccount: 'never',
    event: 'device',
  },
  removeDevice,
)
