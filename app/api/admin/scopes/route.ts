import { reads, writes } from '#lib/http/endpoint.server'
import { pageQuery, queryId } from '#lib/http/paging'
import { scopeInput } from '#lib/scopes/scopes.schema'
import { createScope, listScopes, scopeOrders, scopeReferences } from '#lib/scopes/scopes.server'

export const GET = reads(
  {
    anyOf: [
      'USERS_VIEW_PRIVILEGES',
      'USERS_MANAGE_SCOPES',
      'USERS_MANAGE_USERS',
      'APPLIB_ALLOW_MODIFY',
      'MANAGE_VAPP_SPEC',
    ],
    query: pageQuery(...scopeOrders).extend({ enterprise: queryId('enterprise').optional() }),
    answers: 'scopes',
  },
  (context) => listScopes(context, context.query),
)

export const POST = writes(
  {
    anyOf: ['USERS_MANAGE_SCOPES'],
    takes: 'scope',
    body: scopeInput,
    references: scopeReferences,
    answers: 'scope',
  },
  createScope,
)
