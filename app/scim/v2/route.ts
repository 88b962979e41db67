import { kinds } from '#lib/caller/kinds/kinds'
import { listQuery } from '#lib/people/scim/list-query.schema'
import { listAll } from '#lib/people/scim/lists.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listAll, {
  summary: 'Search users and groups by SCIM',
  who: { anyOf: [...kinds.user.readers, ...kinds.role.readers] },
  query: listQuery,
  answers: { as: 'scim' },
  refuses: ['SCIM-0', 'SCIM-5'],
})
