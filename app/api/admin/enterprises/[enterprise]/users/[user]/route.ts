import {
  changedUserReferences,
  changesEmail,
  readChangeable,
  removeUser,
  updateUser,
} from '#lib/identity/user-changes.server'
import { preparePassword } from '#lib/identity/user-passwords.server'
import { userInput } from '#lib/identity/users.schema'
import { readUser } from '#lib/identity/users.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { enterprise: 'EN-0', user: 'USER-0' } as const
const wildcard = 'enterprise'

export const GET = reads(
  {
    summary: 'Read a user',
    anyOf: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
    orOwn: 'user',
    ids,
    wildcard,
    answers: 'user',
  },
  readUser,
)

export const PUT = writes(
  {
    summary: 'Change a user; of another enterprise than the own also with USERS_MANAGE_OTHER_ENTERPRISES',
    anyOf: ['USERS_MANAGE_USERS'],
    orOwn: 'user',
    ids,
    wildcard,
    exists: readChangeable,
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
    ids,
    wildcard,
    exists: readChangeable,
    refuses: ['GEN-15', 'USER-25'],
    ownAccount: 'whenCaller',
    event: 'user',
  },
  removeUser,
)
