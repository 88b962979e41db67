import { reads } from '#lib/http/endpoint.server'
import { pageQuery, queryId } from '#lib/http/paging'
import { listRoles, roleOrders } from '#lib/identity/roles.server'

export const GET = reads(
  {
    summary: 'List roles',
    anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
    query: pageQuery(...roleOrders).extend({ identerprise: queryId('identerprise').optional() }),
    answers: 'roles',
  },
  (context) => listRoles(context, context.query),
)
