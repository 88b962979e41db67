import { reads } from '#lib/http/endpoint.server'
import { pageQuery } from '#lib/http/paging'
import { deviceOrders, listDevices } from '#lib/infrastructure/devices.server'

export const GET = reads(
  {
    summary: 'List the devices of a datacenter',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
    ids: { datacenter: 'DC-0' },
    query: pageQuery(...deviceOrders),
    answers: 'devices',
  },
  (context) => listDevices(context, context.params.datacenter, context.query),
)
