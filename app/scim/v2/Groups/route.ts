import { kinds } from '#lib/caller/kinds/kinds'
import { createScimGroup } from '#lib/people/scim/group-changes.server'
import { listQuery, message, projectionQuery } from '#lib/people/scim/list-query.schema'
import { listScimGroups } from '#lib/people/scim/lists.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listScimGroups, {
  summary: 'Search groups by SCIM',
  who: { anyOf: kinds.role.readers },
  query: listQuery,
  answers: { as: 'scim' },
  refuses: ['SCIM-0', 'SCIM-5'],
})

export const POST = writes(createScimGroup, {
  summary: 'Create a group by SCIM: a role without privileges',
  who: { anyOf: kinds.role.writers, ownAccount: 'never' },
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  answers: { as: 'scim' },
  event: null,
  refuses: ['EN-0', 'GEN-15', 'ROLE-0', 'ROLE-7', 'SCIM-3', 'SCIM-5', 'SCIM-7', 'USER-0', 'USER-25'],
})
