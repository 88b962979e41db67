import { kinds } from '#lib/caller/kinds/kinds'
import { scopeReference } from '#lib/caller/scopes/scopes.server'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { createEnterprise } from '#lib/people/identity/enterprise-changes.server'
import { enterpriseCsv, listEnterprises } from '#lib/people/identity/enterprises.server'
import { enterpriseInput } from '#lib/people/identity/identity.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listEnterprises(context, context.query), {
  summary: 'List enterprises',
  who: { anyOf: kinds.enterprise.readers },
  query: nameQuery.extend({ changed, tag, idScope: queryId('idScope').optional() }),
  asOf: true,
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
