import { pageQuery } from '#lib/http/paging'
import { listRacks, rackOrders } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the racks of a datacenter',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0' },
    query: pageQuery(...rackOrders),
    answers: 'racks',
  },
  (context) => listRacks(context, context.params.datacenter, context.query),
)
