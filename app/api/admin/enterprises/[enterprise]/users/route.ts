import { reads } from '#lib/http/endpoint.server'
import { flag, pageQuery } from '#lib/http/paging'
import { listUsers, userOrders } from '#lib/identity/users.server'

export const GET = reads(
  {
    summary: 'List the users of an enterprise',
    anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
    ids: { enterprise: 'EN-0' },
    wildcard: 'enterprise',
    query: pageQuery(...userOrders).extend({ active: flag('active').optional() }),
    answers: 'users',
  },
  (context) => listUsers(context, context.params.enterprise, context.query),
)
