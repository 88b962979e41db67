import { kinds } from '#lib/caller/kinds/kinds'
import { listQuery, message, projectionQuery } from '#lib/people/scim/list-query.schema'
import { listScimUsers } from '#lib/people/scim/lists.server'
import { createScimUser, prepareScimUser } from '#lib/people/scim/user-changes.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listScimUsers, {
  summary: 'Search users by SCIM',
  who: { anyOf: kinds.user.readers },
  query: listQuery,
  answers: { as: 'scim' },
  refuses: ['SCIM-0', 'SCIM-5'],
})

export const POST = writes(createScimUser, {
  summary: 'Create a user by SCIM',
  who: { anyOf: kinds.user.writers, ownAccount: 'never' },
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  prepare: prepareScimUser,
  answers: { as: 'scim' },
  event: null,
  refuses: ['EN-0', 'GEN-15', 'ROLE-0', 'SCIM-3', 'SCIM-5', 'SCIM-7', 'USER-4', 'USER-19'],
})
