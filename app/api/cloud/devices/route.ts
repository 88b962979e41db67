import { readers } from '#lib/auth/readers'
import { deviceQuery } from '#lib/infrastructure/devices.schema'
import { listAllDevices } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listAllDevices(context, context.query), {
  summary: 'List the devices of all datacenters',
  who: { anyOf: readers.device },
  query: deviceQuery,
  answers: { as: 'devices' },
})
