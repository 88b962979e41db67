import { deviceReferences, removeDevice, updateDevice } from '#lib/infrastructure/device-changes.server'
import { deviceInput } from '#lib/infrastructure/devices.schema'
import { readDevice } from '#lib/infrastructure/devices.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { datacenter: 'DC-0', device: 'NETDEVICE-1' } as const

export const GET = reads(
  {
    summary: 'Read a device',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
    ids,
    answers: 'device',
  },
  readDevice,
)

export const PUT = writes(
  {
    summary: 'Change a device',
    anyOf: ['MANAGE_DEVICES'],
    ids,
    exists: readDevice,
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
    ids,
    exists: readDevice,
    refuses: ['NETDEVICE-3'],
    ownAccount: 'never',
    event: 'device',
  },
  removeDevice,
)
