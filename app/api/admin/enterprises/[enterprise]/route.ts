import { scopeReference } from '#lib/caller/scopes/scopes.server'
import { removeEnterprise, updateEnterprise } from '#lib/people/identity/enterprise-changes.server'
import { enterpriseTarget } from '#lib/people/identity/enterprises.server'
import { enterpriseInput } from '#lib/people/identity/identity.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

const read = ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'] as const
export const GET = shows({
  summary: 'Read an enterprise',
  who: { anyOf: read, orOwn: 'enterprise' },
  target: enterpriseTarget,
  asOf: true,
  answers: { as: 'enterprise' },
})

export const PUT = writes(updateEnterprise, {
  summary: 'Change an enterprise',
  who: { anyOf: ['USERS_MANAGE_ENTERPRISE'], ownAccount: 'never' },
  target: enterpriseTarget,
  takes: { as: 'enterprise', body: enterpriseInput, references: scopeReference },
  answers: { as: 'enterprise' },
  event: 'enterprise',
  refuses: ['ENTERPRISE-4', 'GEN-15', 'SCOPE-1', 'USER-19', 'USER-25'],
})

export const DELETE = writes(removeEnterprise, {
  summary: 'Delete an enterprise',
  who: { anyOf: ['USERS_MANAGE_ENTERPRISE'], ownAccount: 'never' },
  target: enterpriseTarget,
  event: 'enterprise',
  refuses: ['ENTERPRISE-5'],
})
