import { kinds } from '#lib/caller/kinds/kinds'
import { deviceQuery } from '#lib/cloud/infrastructure/devices.schema'
import { listAllDevices } from '#lib/cloud/infrastructure/devices.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listAllDevices(context, context.query), {
  summary: 'List the devices of all datacenters',
  who: { anyOf: kinds.device.readers },
  query: deviceQuery,
  asOf: true,
  answers: { as: 'devices' },
})
