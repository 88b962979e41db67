import { kinds } from '#lib/caller/kinds/kinds'
import { createDevice, deviceReferences } from '#lib/cloud/infrastructure/device-changes.server'
import { deviceInput, devicesQuery } from '#lib/cloud/infrastructure/devices.schema'
import { listDevices } from '#lib/cloud/infrastructure/devices.server'
import { locationTarget } from '#lib/cloud/infrastructure/locations.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listDevices, {
  summary: 'List the devices of a datacenter',
  who: { anyOf: kinds.device.readers },
  target: locationTarget,
  query: devicesQuery,
  asOf: true,
  answers: { as: 'devices' },
})

export const POST = writes(createDevice, {
  summary: 'Create a device',
  who: { anyOf: ['MANAGE_DEVICES'], ownAccount: 'never' },
  target: locationTarget,
  takes: { as: 'device', body: deviceInput, references: deviceReferences },
  answers: { as: 'device' },
  event: 'device',
  refuses: ['NETDEVICE-2', 'DEVICETYPE-1'],
})
