import { locationTarget } from '#lib/infrastructure/locations.server'
import { shows } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a location',
  anyOf: 'user',
  target: locationTarget,
  answers: 'datacenter',
  alsoAs: 'location',
})
