import { kinds } from '#lib/caller/kinds/kinds'
import {
  patchScimGroup,
  readScimGroup,
  removeScimGroup,
  replaceScimGroup,
  scimGroupTarget,
} from '#lib/people/scim/group-changes.server'
import { message, projectionQuery } from '#lib/people/scim/list-query.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

// Members are users: who manages them alone may move them. Each change asks for its own privilege.
const who = { anyOf: [...kinds.role.writers, ...kinds.user.writers], ownAccount: 'never' } as const
const refuses = [
  '412-PRECONDITION-FAILED',
  'EN-0',
  'GEN-15',
  'ROLE-3',
  'ROLE-7',
  'ROLE-8',
  'SCIM-3',
  'SCIM-5',
  'SCIM-7',
  'SIGN-IN-6',
  'USER-0',
  'USER-25',
] as const

export const GET = reads(readScimGroup, {
  summary: 'Read a group by SCIM',
  who: { anyOf: kinds.role.readers },
  target: scimGroupTarget,
  query: projectionQuery,
  answers: { as: 'scim' },
})

export const PUT = writes(replaceScimGroup, {
  summary: 'Replace a group by SCIM',
  who,
  target: scimGroupTarget,
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  answers: { as: 'scim' },
  event: null,
  refuses,
})

export const PATCH = writes(patchScimGroup, {
  summary: 'Change a group by SCIM',
  who,
  target: scimGroupTarget,
  query: projectionQuery,
  takes: { as: 'scim', body: message },
  answers: { as: 'scim' },
  event: null,
  refuses: [...refuses, 'SCIM-0', 'SCIM-1', 'SCIM-2', 'SCIM-4', 'SCIM-6'],
})

export const DELETE = writes(removeScimGroup, {
  summary: 'Delete a group by SCIM',
  who,
  target: scimGroupTarget,
  event: null,
  refuses,
})
