import { reads } from '#lib/pipeline/endpoint.server'
import { treeQuery } from '#lib/scopes/scopes.schema'
import { scopeTree } from '#lib/scopes/tree.server'

export const GET = reads((context) => scopeTree(context, context.query), {
  summary: 'Read a level of the scope tree, or search it',
  who: { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'] },
  query: treeQuery,
  asOf: true,
  answers: { as: 'scopetreenodes' },
  refuses: ['EN-0', 'SCOPE-1'],
})
