import { listDeviceTypes } from '#lib/cloud/infrastructure/devices.server'
import { nameQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(({ query }) => listDeviceTypes(query), {
  summary: 'List device types',
  who: { anyOf: 'user' },
  query: nameQuery,
  answers: { as: 'devicetypes' },
})
