import { roleInput } from '#lib/identity/identity.schema'
import { removeRole, roleReferences, updateRole } from '#lib/identity/role-changes.server'
import { roleTarget } from '#lib/identity/roles.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a role',
  anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
  target: roleTarget,
  answers: 'role',
})

export const PUT = writes(
  {
    summary: 'Change a role',
    anyOf: ['USERS_MANAGE_ROLES'],
    target: roleTarget,
    takes: 'role',
    body: roleInput,
    references: roleReferences,
    answers: 'role',
    refuses: ['EN-0', 'GEN-15', 'PRIVILEGE-0', 'ROLE-7', 'ROLE-8', 'SCOPE-1'],
    ownAccount: 'never',
    event: 'role',
  },
  updateRole,
)

export const DELETE = writes(
  {
    summary: 'Delete a role',
    anyOf: ['USERS_MANAGE_ROLES'],
    target: roleTarget,
    refuses: ['GEN-15', 'ROLE-3', 'ROLE-8'],
    ownAccount: 'never',
    event: 'role',
  },
  removeRole,
)
