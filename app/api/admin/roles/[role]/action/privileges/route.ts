import { pageQuery } from '#lib/http/paging'
import { listPrivileges, privilegeOrders, privilegesOfRole, roleTarget } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  async (context) =>
    listPrivileges(
      await privilegesOfRole(context.db, context.params.role),
      `/admin/roles/${context.params.role}/action/privileges`,
      context.query,
    ),
  {
    summary: 'List the privileges of a role',
    who: { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'] },
    target: roleTarget,
    query: pageQuery(...privilegeOrders),
    asOf: true,
    answers: { as: 'privileges' },
  },
)
