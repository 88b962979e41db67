import {
  enterpriseReferences,
  removeEnterprise,
  updateEnterprise,
} from '#lib/identity/enterprise-changes.server'
import { enterpriseTarget } from '#lib/identity/enterprises.server'
import { enterpriseInput } from '#lib/identity/identity.schema'
import { shows, writes } from '#lib/pipeline/endpoint.server'

const read = ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'] as const
export const GET = shows({
  summary: 'Read an enterprise',
  anyOf: read,
  orOwn: 'enterprise',
  target: enterpriseTarget,
  answers: 'enterprise',
})

export const PUT = writes(
  {
    summary: 'Change an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    target: enterpriseTarget,
    takes: 'enterprise',
    body: enterpriseInput,
    references: enterpriseReferences,
    answers: 'enterprise',
    refuses: ['ENTERPRISE-4', 'GEN-15', 'SCOPE-1', 'USER-19'],
    ownAccount: 'never',
    event: 'enterprise',
  },
  updateEnterprise,
)

export const DELETE = writes(
  {
    summary: 'Delete an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    target: enterpriseTarget,
    refuses: ['ENTERPRISE-5'],
    ownAccount: 'never',
    event: 'enterprise',
  },
  removeEnterprise,
)
