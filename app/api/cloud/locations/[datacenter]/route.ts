import { readLocation } from '#lib/infrastructure/locations.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read a location',
    anyOf: 'user',
    ids: { datacenter: 'DC-0' },
    answers: 'datacenter',
    alsoAs: 'location',
  },
  readLocation,
)
