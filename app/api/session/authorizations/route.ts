import { pageQuery } from '#lib/ground/http/paging'
import { authorizationOrders, listAuthorizations } from '#lib/people/applications/authorizations.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listAuthorizations, {
  summary: 'List the OAuth applications that may act for you',
  who: { anyOf: 'user', ownAccount: 'always' },
  query: pageQuery(...authorizationOrders),
  answers: { as: 'authorizations' },
})
