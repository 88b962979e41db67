import { listResourceTypes } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listResourceTypes, {
  summary: 'List the types of resources of SCIM',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
})
