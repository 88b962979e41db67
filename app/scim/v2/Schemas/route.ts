import { listSchemas } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listSchemas, {
  summary: 'List the schemas of SCIM',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
})
