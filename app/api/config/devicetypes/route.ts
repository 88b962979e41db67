import { pageQuery } from '#lib/http/paging'
import { deviceOrders, listDeviceTypes } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  { summary: 'List device types', anyOf: 'user', query: pageQuery(...deviceOrders), answers: 'devicetypes' },
  ({ query }) => listDeviceTypes(query),
)
