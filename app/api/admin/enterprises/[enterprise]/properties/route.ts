import { readProperties, updateProperties } from '#lib/identity/enterprise-properties.server'
import { enterprisePropertiesInput } from '#lib/identity/identity.schema'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { enterprise: 'EN-0' } as const

export const GET = reads(
  {
    summary: 'Read the properties of an enterprise',
    anyOf: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
    orOwn: 'enterprise',
    ids,
    answers: 'enterpriseproperties',
  },
  readProperties,
)

export const PUT = writes(
  {
    summary: 'Replace the properties of an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    ids,
    exists: readProperties,
    takes: 'enterpriseproperties',
    body: enterprisePropertiesInput,
    answers: 'enterpriseproperties',
    ownAccount: 'never',
    event: 'enterprise',
  },
  updateProperties,
)
