import { kinds } from '#lib/caller/kinds/kinds'
import { createUser, newUserReferences, newUserTarget } from '#lib/people/identity/user-changes.server'
import { preparePassword } from '#lib/people/identity/user-passwords.server'
import { newUserInput, userQuery } from '#lib/people/identity/users.schema'
import { listUsers, userCsv, usersTarget } from '#lib/people/identity/users.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listUsers(context, context.params.enterprise, context.query), {
  summary: 'List the users of an enterprise',
  who: { anyOf: kinds.user.readers },
  target: usersTarget,
  query: userQuery,
  asOf: true,
  answers: { as: 'users', csv: userCsv },
  refuses: ['ROLE-0', 'SCOPE-1'],
})

export const POST = writes(createUser, {
  summary: 'Create a user; another enterprise than your own also needs USERS_MANAGE_OTHER_ENTERPRISES',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'never' },
  target: newUserTarget,
  takes: { as: 'user', body: newUserInput, references: newUserReferences },
  prepare: preparePassword,
  answers: { as: 'user' },
  event: 'user',
  refuses: ['ENDS-1', 'GEN-15', 'ROLE-0', 'SCOPE-1', 'SCOPE-15', 'USER-4', 'USER-19', 'USER-26', 'USER-28'],
})
