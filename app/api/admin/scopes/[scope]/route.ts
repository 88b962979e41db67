import { removeScope, updateScope } from '#lib/caller/scopes/changes.server'
import { scopeInput } from '#lib/caller/scopes/scopes.schema'
import { scopeReferences, scopeTarget } from '#lib/caller/scopes/scopes.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a scope',
  who: { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'] },
  target: scopeTarget,
  asOf: true,
  answers: { as: 'scope' },
})

export const PUT = writes(updateScope, {
  summary: 'Change a scope',
  who: { anyOf: ['USERS_MANAGE_SCOPES'], ownAccount: 'never' },
  target: scopeTarget,
  takes: { as: 'scope', body: scopeInput, references: scopeReferences },
  answers: { as: 'scope' },
  event: 'scope',
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
    'USER-25',
  ],
})

export const DELETE = writes(removeScope, {
  summary: 'Delete a scope',
  who: { anyOf: ['USERS_MANAGE_SCOPES'], ownAccount: 'never' },
  target: scopeTarget,
  event: 'scope',
  refuses: ['SCOPE-2', 'SCOPE-5', 'SCOPE-11', 'SCOPE-12', 'SCOPE-17', 'SCOPE-19'],
})
