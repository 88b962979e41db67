import { pageQuery } from '#lib/http/paging'
import { locationOrders } from '#lib/infrastructure/datacenters.schema'
import { listLocations } from '#lib/infrastructure/locations.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listLocations(context, context.query), {
  summary: 'List locations',
  who: { anyOf: 'user' },
  query: pageQuery(...locationOrders),
  answers: { as: 'datacenters', alsoAs: 'locations' },
})
