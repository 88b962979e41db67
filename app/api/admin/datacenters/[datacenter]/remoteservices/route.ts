import { pageQuery } from '#lib/http/paging'
import { listRemoteServices, remoteServiceOrders } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the remote services of a datacenter',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0' },
    query: pageQuery(...remoteServiceOrders),
    answers: 'remoteservices',
  },
  (context) => listRemoteServices(context, context.params.datacenter, context.query),
)
