import { readers } from '#lib/auth/readers'
import { pageQuery, queryId } from '#lib/http/paging'
import { roleInput } from '#lib/identity/identity.schema'
import { createRole, roleReferences } from '#lib/identity/role-changes.server'
import { listRoles, roleCsv, roleOrders } from '#lib/identity/roles.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List roles',
    anyOf: readers.role,
    query: pageQuery(...roleOrders).extend({
      identerprise: queryId('identerprise').optional(),
      idScope: queryId('idScope').optional().meta({ description: 'Only those that are tied to this scope' }),
    }),
    answers: 'roles',
    refuses: ['SCOPE-1'],
    csv: roleCsv,
  },
  (context) => listRoles(context, context.query),
)

export const POST = writes(
  {
    summary: 'Create a role',
    anyOf: ['USERS_MANAGE_ROLES'],
    takes: 'role',
    body: roleInput,
    references: roleReferences,
    answers: 'role',
    refuses: ['EN-0', 'GEN-15', 'PRIVILEGE-0', 'ROLE-7', 'SCOPE-1'],
    ownAccount: 'never',
    event: 'role',
  },
  createRole,
)
