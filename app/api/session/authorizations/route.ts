import { authorizationOrders, listAuthorizations } from '#lib/applications/authorizations.server'
import { pageQuery } from '#lib/http/paging'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listAuthorizations, {
  summary: 'List the OAuth applications that may act for you',
  who: { anyOf: 'user' },
  query: pageQuery(...authorizationOrders),
  answers: { as: 'authorizations' },
})
