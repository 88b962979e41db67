import { nameQuery, queryId } from '#lib/http/paging'
import { createEnterprise } from '#lib/identity/enterprise-changes.server'
import { enterpriseCsv, listEnterprises } from '#lib/identity/enterprises.server'
import { enterpriseInput } from '#lib/identity/identity.schema'
import { kinds } from '#lib/kinds/kinds'
import { reads, writes } from '#lib/pipeline/endpoint.server'
import { scopeReference } from '#lib/scopes/scopes.server'

export const GET = reads((context) => listEnterprises(context, context.query), {
  summary: 'List enterprises',
  who: { anyOf: kinds.enterprise.readers },
  query: nameQuery.extend({ idScope: queryId('idScope').optional() }),
  answers: { as: 'enterprises', csv: enterpriseCsv },
})

export const POST = writes(createEnterprise, {
  summary: 'Create an enterprise',
  who: { anyOf: ['USERS_MANAGE_ENTERPRISE'], ownAccount: 'never' },
  takes: { as: 'enterprise', body: enterpriseInput, references: scopeReference },
  answers: { as: 'enterprise' },
  event: 'enterprise',
  refuses: ['ENTERPRISE-4', 'SCOPE-1', 'USER-19'],
})
