import { listLocations } from '#lib/cloud/infrastructure/locations.server'
import { nameQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listLocations(context, context.query), {
  summary: 'List locations',
  who: { anyOf: 'user' },
  query: nameQuery,
  asOf: true,
  answers: { as: 'datacenters', alsoAs: 'locations' },
})
