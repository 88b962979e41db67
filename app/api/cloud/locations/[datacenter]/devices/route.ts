import { readers } from '#lib/auth/readers'
import { pageQuery } from '#lib/http/paging'
import { createDevice, deviceReferences } from '#lib/infrastructure/device-changes.server'
import { deviceInput } from '#lib/infrastructure/devices.schema'
import { deviceOrders, listDevices } from '#lib/infrastructure/devices.server'
import { locationTarget } from '#lib/infrastructure/locations.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the devices of a datacenter',
    anyOf: readers.device,
    target: locationTarget,
    query: pageQuery(...deviceOrders),
    answers: 'devices',
  },
  listDevices,
)

export const POST = writes(
  {
    summary: 'Create a device',
    anyOf: ['MANAGE_DEVICES'],
    target: locationTarget,
    takes: 'device',
    body: deviceInput,
    references: deviceReferences,
    answers: 'device',
    refuses: ['NETDEVICE-2', 'DEVICETYPE-1'],
    ownAccount: 'never',
    event: 'device',
  },
  createDevice,
)
