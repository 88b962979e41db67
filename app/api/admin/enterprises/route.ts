import { reads } from '#lib/http/endpoint.server'
import { pageQuery, queryId } from '#lib/http/paging'
import { enterpriseOrders, listEnterprises } from '#lib/identity/enterprises.server'

export const GET = reads(
  {
    summary: 'List enterprises',
    anyOf: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
    query: pageQuery(...enterpriseOrders).extend({ idScope: queryId('idScope').optional() }),
    answers: 'enterprises',
  },
  (context) => listEnterprises(context, context.query),
)
