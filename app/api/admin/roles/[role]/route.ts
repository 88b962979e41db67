import { roleInput } from '#lib/people/identity/identity.schema'
import { removeRole, updateRole } from '#lib/people/identity/role-changes.server'
import { roleReferences } from '#lib/people/identity/role-preview.server'
import { roleTarget } from '#lib/people/identity/roles.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a role',
  who: { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'] },
  target: roleTarget,
  asOf: true,
  answers: { as: 'role' },
})

export const PUT = writes(updateRole, {
  summary: 'Change a role',
  who: { anyOf: ['USERS_MANAGE_ROLES'], ownAccount: 'never' },
  target: roleTarget,
  takes: { as: 'role', body: roleInput, references: roleReferences },
  answers: { as: 'role' },
  event: 'role',
  refuses: ['EN-0', 'GEN-15', 'PRIVILEGE-0', 'ROLE-7', 'ROLE-8', 'SCOPE-1'],
})

export const DELETE = writes(removeRole, {
  summary: 'Delete a role',
  who: { anyOf: ['USERS_MANAGE_ROLES'], ownAccount: 'never' },
  target: roleTarget,
  event: 'role',
  refuses: ['GEN-15', 'ROLE-3', 'ROLE-8'],
})
