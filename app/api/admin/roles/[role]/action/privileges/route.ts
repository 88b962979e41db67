import { pageQuery } from '#lib/ground/http/paging'
import {
  listPrivileges,
  privilegeOrders,
  privilegesOfRole,
  roleTarget,
} from '#lib/people/identity/roles.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

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
