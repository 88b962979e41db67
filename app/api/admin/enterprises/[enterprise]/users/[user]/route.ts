import {
  changeableUserTarget,
  changedUserReferences,
  changesEmail,
  removeUser,
  updateUser,
} from '#lib/people/identity/user-changes.server'
import { preparePassword } from '#lib/people/identity/user-passwords.server'
import { userInput } from '#lib/people/identity/users.schema'
import { userTarget } from '#lib/people/identity/users.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a user',
  who: { anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'], orOwn: 'user' },
  target: userTarget,
  asOf: true,
  answers: { as: 'user' },
})

export const PUT = writes(updateUser, {
  summary: 'Change a user; another enterprise than your own also needs USERS_MANAGE_OTHER_ENTERPRISES',
  who: { anyOf: ['USERS_MANAGE_USERS'], orOwn: 'user', proof: changesEmail, ownAccount: 'whenCaller' },
  target: changeableUserTarget,
  takes: { as: 'user', body: userInput, references: changedUserReferences },
  prepare: preparePassword,
  answers: { as: 'user' },
  event: 'user',
  refuses: [
    '2FA-5',
    'ENDS-1',
    'GEN-15',
    'ROLE-0',
    'SCOPE-1',
    'SCOPE-16',
    'USER-4',
    'USER-19',
    'USER-25',
    'USER-26',
  ],
})

export const DELETE = writes(removeUser, {
  summary: 'Delete a user; another enterprise than your own also needs USERS_MANAGE_OTHER_ENTERPRISES',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'whenCaller' },
  target: changeableUserTarget,
  event: 'user',
  refuses: ['GEN-15', 'USER-25'],
})
