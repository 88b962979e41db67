import { pageQuery } from '#lib/http/paging'
import { listPrivileges, privilegeOrders, privilegesOfRole, roleTarget } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the privileges of a role',
    anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
    target: roleTarget,
    query: pageQuery(...privilegeOrders),
    answers: 'privileges',
  },
  async (context) =>
    listPrivileges(
      await privilegesOfRole(context.db, context.params.role),
      `/admin/roles/${context.params.role}/action/privileges`,
      context.query,
    ),
)
