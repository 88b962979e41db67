import { readers } from '#lib/auth/readers'
import { createUser, newUserTarget } from '#lib/identity/user-changes.server'
import { preparePassword } from '#lib/identity/user-passwords.server'
import { userReferences } from '#lib/identity/user-rules.server'
import { newUserInput, userQuery } from '#lib/identity/users.schema'
import { listUsers, userCsv } from '#lib/identity/users.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the users of an enterprise',
    anyOf: readers.user,
    target: { ids: { enterprise: 'EN-0' }, wildcard: 'enterprise' },
    query: userQuery,
    answers: 'users',
    refuses: ['ROLE-0', 'SCOPE-1'],
    csv: userCsv,
  },
  (context) => listUsers(context, context.params.enterprise, context.query),
)

export const POST = writes(
  {
    summary: 'Create a user; in another enterprise than the own also with USERS_MANAGE_OTHER_ENTERPRISES',
    anyOf: ['USERS_MANAGE_USERS'],
    target: newUserTarget,
    takes: 'user',
    body: newUserInput,
    prepare: preparePassword,
    references: userReferences,
    answers: 'user',
    refuses: ['GEN-15', 'ROLE-0', 'SCOPE-1', 'SCOPE-15', 'USER-4', 'USER-19'],
    ownAccount: 'never',
    event: 'user',
  },
  createUser,
)
