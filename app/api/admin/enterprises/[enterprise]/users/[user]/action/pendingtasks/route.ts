import { pageQuery } from '#lib/ground/http/paging'
import { listPendingTasks, taskOrders } from '#lib/people/identity/tasks.server'
import { userTarget } from '#lib/people/identity/users.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listPendingTasks, {
  summary: 'List the pending tasks of a user',
  who: { anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'], orOwn: 'user' },
  target: userTarget,
  query: pageQuery(...taskOrders),
  answers: { as: 'tasks' },
})
