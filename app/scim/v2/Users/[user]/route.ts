import { kinds } from '#lib/caller/kinds/kinds'
import { message, projectionQuery } from '#lib/people/scim/list-query.schema'
import {
  patchScimUser,
  prepareScimUser,
  readScimUser,
  removeScimUser,
  replaceScimUser,
  scimUserTarget,
} from '#lib/people/scim/user-changes.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

const who = { anyOf: kinds.user.writers, ownAccount: 'whenCaller' } as const
const refuses = [
  '2FA-5',
  '412-PRECONDITION-FAILED',
  'EN-0',
  'GEN-15',
  'ROLE-0',
  'SCIM-3',
  'SCIM-5',
  'SCOPE-16',
  'SIGN-IN-6',
  'USER-4',
  'USER-19',
  'USER-25',
  'USER-26',
] as const

export const GET = reads(readScimUser, {
  summary: 'Read a user by SCIM',
  who: { anyOf: kinds.user.readers },
  target: scimUserTarget,
  query: projectionQuery,
  answers: { as: 'scim' },
})

export const PUT = writes(replaceScimUser, {
  summary: 'Replace a user by SCIM',
  who,
  target: scimUserTarget,
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  prepare: prepareScimUser,
  answers: { as: 'scim' },
  event: null,
  refuses,
})

export const PATCH = writes(patchScimUser, {
  summary: 'Change a user by SCIM',
  who,
  target: scimUserTarget,
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  prepare: prepareScimUser,
  answers: { as: 'scim' },
  event: null,
  refuses: [...refuses, 'SCIM-1', 'SCIM-2', 'SCIM-4', 'SCIM-6'],
})

export const DELETE = writes(removeScimUser, {
  summary: 'Delete a user by SCIM',
  who,
  target: scimUserTarget,
  event: null,
  refuses: ['412-PRECONDITION-FAILED', 'EN-0', 'GEN-15', 'USER-25'],
})
