import { bulkEnterprise, changeUsers } from '#lib/people/identity/bulk-users.server'
import { usersChangeInput } from '#lib/people/identity/users.schema'
import { bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(changeUsers, {
  summary: 'Enable, disable, lock or unlock many users, or give them a role',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'never' },
  target: bulkEnterprise,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: usersChangeInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'user.update',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'ROLE-0', 'SCOPE-1', 'EVENT-0'],
})
