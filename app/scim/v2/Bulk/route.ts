import { notSupported } from '#lib/people/scim/discovery.server'
import { message } from '#lib/people/scim/list-query.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(notSupported, {
  summary: 'Bulk of SCIM is not supported',
  who: { anyOf: 'user' },
  takes: { as: 'scim', body: message },
  answers: { as: 'scim' },
  refuses: ['SCIM-8'],
})
