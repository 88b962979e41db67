import { readSchema } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readSchema, {
  summary: 'Read a schema of SCIM',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
  refuses: ['404-NOT-FOUND'],
})
