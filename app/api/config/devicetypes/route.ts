import { reads } from '#lib/http/endpoint.server'
import { pageQuery } from '#lib/http/paging'
import { deviceOrders, listDeviceTypes } from '#lib/infrastructure/devices.server'

export const GET = reads(
  { summary: 'List device types', anyOf: 'user', query: pageQuery(...deviceOrders), answers: 'devicetypes' },
  ({ query }) => listDeviceTypes(query),
)
