import { reads } from '#lib/http/endpoint.server'
import { pageQuery } from '#lib/http/paging'
import { authorizationOrders, listAuthorizations } from '#lib/oauth/authorizations.server'

export const GET = reads(
  {
    summary: 'List the OAuth applications that may act in one’s name',
    anyOf: 'user',
    query: pageQuery(...authorizationOrders),
    answers: 'authorizations',
  },
  listAuthorizations,
)
