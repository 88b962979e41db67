import { pageQuery } from '#lib/http/paging'
import { listPendingTasks, taskOrders } from '#lib/identity/tasks.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the pending tasks of a user',
    anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
    orOwn: 'user',
    ids: { enterprise: 'EN-0', user: 'USER-0' },
    wildcard: 'enterprise',
    query: pageQuery(...taskOrders),
    answers: 'tasks',
  },
  (context) => listPendingTasks(context, context.query),
)
