import { nameQuery } from '#lib/http/paging'
import { listDeviceTypes } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(({ query }) => listDeviceTypes(query), {
  summary: 'List device types',
  who: { anyOf: 'user' },
  query: nameQuery,
  answers: { as: 'devicetypes' },
})
