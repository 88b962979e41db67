import { deviceQuery } from '#lib/infrastructure/devices.schema'
import { listAllDevices } from '#lib/infrastructure/devices.server'
import { kinds } from '#lib/kinds/kinds'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listAllDevices(context, context.query), {
  summary: 'List the devices of all datacenters',
  who: { anyOf: kinds.device.readers },
  query: deviceQuery,
  answers: { as: 'devices' },
})
