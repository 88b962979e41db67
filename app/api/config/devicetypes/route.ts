import { pageQuery } from '#lib/http/paging'
import { deviceOrders, listDeviceTypes } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(({ query }) => listDeviceTypes(query), {
  summary: 'List device types',
  who: { anyOf: 'user' },
  query: pageQuery(...deviceOrders),
  answers: { as: 'devicetypes' },
})
