import { readResourceType } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readResourceType, {
  summary: 'Read a type of resources of SCIM',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
  refuses: ['404-NOT-FOUND'],
})
