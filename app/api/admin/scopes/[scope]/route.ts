import { reads, writes } from '#lib/http/endpoint.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { readScope, removeScope, scopeReferences, updateScope } from '#lib/scopes/scopes.server'

const ids = { scope: 'SCOPE-1' } as const

export const GET = reads(
  { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'], ids, answers: 'scope' },
  readScope,
)

export const PUT = writes(
  {
    anyOf: ['USERS_MANAGE_SCOPES'],
    ids,
    exists: readScope,
    takes: 'scope',
    body: scopeInput,
    references: scopeReferences,
    answers: 'scope',
  },
  updateScope,
)

export const DELETE = writes({ anyOf: ['USERS_MANAGE_SCOPES'], ids, exists: readScope }, removeScope)
