import { locationTarget } from '#lib/cloud/infrastructure/locations.server'
import { shows } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a location',
  who: { anyOf: 'user' },
  target: locationTarget,
  asOf: true,
  answers: { as: 'datacenter', alsoAs: 'location' },
})
