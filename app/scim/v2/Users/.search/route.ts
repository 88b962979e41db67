import { kinds } from '#lib/caller/kinds/kinds'
import { message } from '#lib/people/scim/list-query.schema'
import { searchScimUsers } from '#lib/people/scim/lists.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(searchScimUsers, {
  summary: 'Search users by a SCIM message',
  who: { anyOf: kinds.user.readers },
  takes: { as: 'scim', body: message },
  answers: { as: 'scim', status: 200 },
  refuses: ['SCIM-0', 'SCIM-5'],
})
