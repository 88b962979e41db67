import { locationTarget } from '#lib/infrastructure/locations.server'
import { shows } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a location',
  who: { anyOf: 'user' },
  target: locationTarget,
  answers: { as: 'datacenter', alsoAs: 'location' },
})
