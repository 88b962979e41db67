import { readers } from '#lib/auth/readers'
import { pageQuery, queryId } from '#lib/http/paging'
import { createEnterprise, enterpriseReferences } from '#lib/identity/enterprise-changes.server'
import { enterpriseCsv, enterpriseOrders, listEnterprises } from '#lib/identity/enterprises.server'
import { enterpriseInput } from '#lib/identity/identity.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List enterprises',
    anyOf: readers.enterprise,
    query: pageQuery(...enterpriseOrders).extend({ idScope: queryId('idScope').optional() }),
    answers: 'enterprises',
    csv: enterpriseCsv,
  },
  (context) => listEnterprises(context, context.query),
)

export const POST = writes(
  {
    summary: 'Create an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    takes: 'enterprise',
    body: enterpriseInput,
    references: enterpriseReferences,
    answers: 'enterprise',
    refuses: ['ENTERPRISE-4', 'SCOPE-1', 'USER-19'],
    ownAccount: 'never',
    event: 'enterprise',
  },
  createEnterprise,
)
