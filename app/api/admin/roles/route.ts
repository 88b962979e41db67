import { kinds } from '#lib/caller/kinds/kinds'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { roleInput } from '#lib/people/identity/identity.schema'
import { createRole } from '#lib/people/identity/role-changes.server'
import { roleReferences } from '#lib/people/identity/role-preview.server'
import { listRoles, roleCsv } from '#lib/people/identity/roles.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listRoles(context, context.query), {
  summary: 'List roles',
  who: { anyOf: kinds.role.readers },
  query: nameQuery.extend({
    changed,
    tag,
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
