import { pageQuery } from '#lib/http/paging'
import { listPrivileges, privilegeOrders, privilegesOfRole } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the privileges of a role',
    anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
    ids: { role: 'ROLE-0' },
    query: pageQuery(...privilegeOrders),
    answers: 'privileges',
  },
  async (context) =>
    listPrivileges(
      await privilegesOfRole(context, context.params.role),
      `/admin/roles/${context.params.role}/action/privileges`,
      context.query,
    ),
)
