import { kinds } from '#lib/caller/kinds/kinds'
import { createScope } from '#lib/caller/scopes/changes.server'
import { scopeInput } from '#lib/caller/scopes/scopes.schema'
import { listScopes, scopeCsv, scopeReferences } from '#lib/caller/scopes/scopes.server'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listScopes(context, context.query), {
  summary: 'List scopes',
  who: { anyOf: kinds.scope.readers },
  query: nameQuery.extend({ changed, tag, enterprise: queryId('enterprise').optional() }),
  asOf: true,
  answers: { as: 'scopes', csv: scopeCsv },
  refuses: ['EN-0'],
})

export const POST = writes(createScope, {
  summary: 'Create a scope',
  who: { anyOf: ['USERS_MANAGE_SCOPES'], ownAccount: 'never' },
  takes: { as: 'scope', body: scopeInput, references: scopeReferences },
  answers: { as: 'scope' },
  event: 'scope',
  refuses: ['SCOPE-0', 'SCOPE-1', 'SCOPE-7', 'SCOPE-20', 'SCOPE-21'],
})
