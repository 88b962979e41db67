import { reads } from '#lib/http/endpoint.server'
import { readLocation } from '#lib/infrastructure/locations.server'

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
