import {
  changeableUserTarget,
  changedUserReferences,
  changesEmail,
  removeUser,
  updateUser,
} from '#lib/identity/user-changes.server'
import { preparePassword } from '#lib/identity/user-passwords.server'
import { userInput } from '#lib/identity/users.schema'
import { userTarget } from '#lib/identity/users.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a user',
  anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  orOwn: 'user',
  target: userTarget,
  answers: 'user',
})

export const PUT = writes(
  {
    summary: 'Change a user; of another enterprise than the own also with USERS_MANAGE_OTHER_ENTERPRISES',
    anyOf: ['USERS_MANAGE_USERS'],
    orOwn: 'user',
    target: changeableUserTarget,
    takes: 'user',
    body: userInput,
    prepare: preparePassword,
    proof: changesEmail,
    references: changedUserReferences,
    answers: 'user',
    refuses: ['2FA-5', 'GEN-15', 'ROLE-0', 'SCOPE-1', 'SCOPE-16', 'USER-4', 'USER-19', 'USER-25'],
    ownAccount: 'whenCaller',
    event: 'user',
  },
  updateUser,
)

export const DELETE = writes(
  {
    summary: 'Delete a user; of another enterprise than the own also with USERS_MANAGE_OTHER_ENTERPRISES',
    anyOf: ['USERS_MANAGE_USERS'],
    target: changeableUserTarget,
    refuses: ['GEN-15', 'USER-25'],
    ownAccount: 'whenCaller',
    event: 'user',
  },
  removeUser,
)
