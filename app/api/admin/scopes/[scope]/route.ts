import { shows, writes } from '#lib/pipeline/endpoint.server'
import { removeScope, updateScope } from '#lib/scopes/changes.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { scopeReferences, scopeTarget } from '#lib/scopes/scopes.server'

export const GET = shows({
  summary: 'Read a scope',
  anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'],
  target: scopeTarget,
  answers: 'scope',
})

export const PUT = writes(
  {
    summary: 'Change a scope',
    anyOf: ['USERS_MANAGE_SCOPES'],
    target: scopeTarget,
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
    target: scopeTarget,
    refuses: ['SCOPE-2', 'SCOPE-5', 'SCOPE-11', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19'],
    ownAccount: 'never',
    event: 'scope',
  },
  removeScope,
)
