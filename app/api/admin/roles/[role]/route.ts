import { reads } from '#lib/http/endpoint.server'
import { readRole } from '#lib/identity/roles.server'

export const GET = reads(
  {
    summary: 'Read a role',
    anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
    ids: { role: 'ROLE-0' },
    answers: 'role',
  },
  readRole,
)
