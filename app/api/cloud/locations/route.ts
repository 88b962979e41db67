import { pageQuery } from '#lib/http/paging'
import { locationOrders } from '#lib/infrastructure/datacenters.schema'
import { listLocations } from '#lib/infrastructure/locations.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List locations',
    anyOf: 'user',
    query: pageQuery(...locationOrders),
    answers: 'datacenters',
    alsoAs: 'locations',
  },
  (context) => listLocations(context, context.query),
)
