import { reads, writes } from '#lib/pipeline/endpoint.server'
import { removeScope, updateScope } from '#lib/scopes/changes.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { readScope, scopeReferences } from '#lib/scopes/scopes.server'

const ids = { scope: 'SCOPE-1' } as const

export const GET = reads(
  {
    summary: 'Read a scope',
    anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'],
    ids,
    answers: 'scope',
  },
  readScope,
)

export const PUT = writes(
  {
    summary: 'Change a scope',
    anyOf: ['USERS_MANAGE_SCOPES'],
    ids,
    exists: readScope,
    takes: 'scope',
    body: scopeInput,
    references: scopeReferences,
    answers: 'scope',
    refuses: [
      'SCOPE-0',
      'SCOPE-3',
      'SCOPE-7',
      'SCOPE-8',
      'SCOPE-10',
      'SCOPE-13',
      'SCOPE-18',
      'SCOPE-20',
      'SCOPE-21',
    ],
    ownAccount: 'never',
    event: 'scope',
  },
  updateScope,
)

export const DELETE = writes(
  {
    summary: 'Delete a scope',
    anyOf: ['USERS_MANAGE_SCOPES'],
    ids,
    exists: readScope,
    refuses: ['SCOPE-2', 'SCOPE-5', 'SCOPE-11', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19'],
    ownAccount: 'never',
    event: 'scope',
  },
  removeScope,
)
