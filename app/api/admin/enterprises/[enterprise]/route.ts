import {
  enterpriseReferences,
  removeEnterprise,
  updateEnterprise,
} from '#lib/identity/enterprise-changes.server'
import { readEnterprise } from '#lib/identity/enterprises.server'
import { enterpriseInput } from '#lib/identity/identity.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const read = ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'] as const
const ids = { enterprise: 'EN-0' } as const

export const GET = reads(
  { summary: 'Read an enterprise', anyOf: read, orOwn: 'enterprise', ids, answers: 'enterprise' },
  readEnterprise,
)

export const PUT = writes(
  {
    summary: 'Change an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    ids,
    exists: readEnterprise,
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
    ids,
    exists: readEnterprise,
    refuses: ['ENTERPRISE-5'],
    ownAccount: 'never',
    event: 'enterprise',
  },
  removeEnterprise,
)
