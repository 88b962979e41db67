import { nameQuery } from '#lib/http/paging'
import { createDevice, deviceReferences } from '#lib/infrastructure/device-changes.server'
import { deviceInput } from '#lib/infrastructure/devices.schema'
import { listDevices } from '#lib/infrastructure/devices.server'
import { locationTarget } from '#lib/infrastructure/locations.server'
import { kinds } from '#lib/kinds/kinds'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(listDevices, {
  summary: 'List the devices of a datacenter',
  who: { anyOf: kinds.device.readers },
  target: locationTarget,
  query: nameQuery,
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
