import { nameQuery } from '#lib/http/paging'
import { listLocations } from '#lib/infrastructure/locations.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listLocations(context, context.query), {
  summary: 'List locations',
  who: { anyOf: 'user' },
  query: nameQuery,
  answers: { as: 'datacenters', alsoAs: 'locations' },
})
