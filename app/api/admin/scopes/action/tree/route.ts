import { treeQuery } from '#lib/caller/scopes/scopes.schema'
import { scopeTree } from '#lib/caller/scopes/tree.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => scopeTree(context, context.query), {
  summary: 'Read a level of the scope tree, or search it',
  who: { anyOf: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS'] },
  query: treeQuery,
  asOf: true,
  answers: { as: 'scopetreenodes' },
  refuses: ['EN-0', 'SCOPE-1'],
})
