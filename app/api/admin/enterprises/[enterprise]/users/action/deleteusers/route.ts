import { bulkEnterprise, deleteUsers } from '#lib/people/identity/bulk-users.server'
import { bulkInput, bulkQuery } from '#lib/record/bulk/bulk.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(deleteUsers, {
  summary: 'Delete many users',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'never' },
  target: bulkEnterprise,
  query: bulkQuery,
  takes: { as: 'bulkchange', body: bulkInput },
  answers: { as: 'bulkreport', status: 200 },
  inSteps: true,
  job: 'user.delete',
  event: null,
  refuses: ['GEN-22', 'QUERY-0', 'ROLE-0', 'SCOPE-1', 'EVENT-0'],
})
