import { nameQuery, queryId } from '#lib/http/paging'
import { roleInput } from '#lib/identity/identity.schema'
import { createRole } from '#lib/identity/role-changes.server'
import { roleReferences } from '#lib/identity/role-preview.server'
import { listRoles, roleCsv } from '#lib/identity/roles.server'
import { kinds } from '#lib/kinds/kinds'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listRoles(context, context.query), {
  summary: 'List roles',
  who: { anyOf: kinds.role.readers },
  query: nameQuery.extend({
    identerprise: queryId('identerprise').optional(),
    idScope: queryId('idScope').optional().meta({ description: 'Only roles that are tied to this scope' }),
  }),
  asOf: true,
  answers: { as: 'roles', csv: roleCsv },
  refuses: ['SCOPE-1'],
})

export const POST = writes(createRole, {
  summary: 'Create a role',
  who: { anyOf: ['USERS_MANAGE_ROLES'], ownAccount: 'never' },
  takes: { as: 'role', body: roleInput, references: roleReferences },
  answers: { as: 'role' },
  event: 'role',
  refuses: ['EN-0', 'GEN-15', 'PRIVILEGE-0', 'ROLE-7', 'SCOPE-1'],
})
