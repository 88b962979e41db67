import { readers } from '#lib/auth/readers'
import { pageQuery, queryId } from '#lib/http/paging'
import { reads, writes } from '#lib/pipeline/endpoint.server'
import { createScope } from '#lib/scopes/changes.server'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { listScopes, scopeCsv, scopeOrders, scopeReferences } from '#lib/scopes/scopes.server'

export const GET = reads(
  {
    summary: 'List scopes',
    anyOf: readers.scope,
    query: pageQuery(...scopeOrders).extend({ enterprise: queryId('enterprise').optional() }),
    answers: 'scopes',
    csv: scopeCsv,
    refuses: ['EN-0'],
  },
  (context) => listScopes(context, context.query),
)

export const POST = writes(
  {
    summary: 'Create a scope',
    anyOf: ['USERS_MANAGE_SCOPES'],
    takes: 'scope',
    body: scopeInput,
    references: scopeReferences,
    answers: 'scope',
    refuses: ['SCOPE-0', 'SCOPE-1', 'SCOPE-7', 'SCOPE-20', 'SCOPE-21'],
    ownAccount: 'never',
    event: 'scope',
  },
  createScope,
)
