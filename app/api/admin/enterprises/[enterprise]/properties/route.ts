import { propertiesTarget, updateProperties } from '#lib/identity/enterprise-properties.server'
import { enterprisePropertiesInput } from '#lib/identity/identity.schema'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read the properties of an enterprise',
  anyOf: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
  orOwn: 'enterprise',
  target: propertiesTarget,
  answers: 'enterpriseproperties',
})

export const PUT = writes(
  {
    summary: 'Replace the properties of an enterprise',
    anyOf: ['USERS_MANAGE_ENTERPRISE'],
    target: propertiesTarget,
    takes: 'enterpriseproperties',
    body: enterprisePropertiesInput,
    answers: 'enterpriseproperties',
    ownAccount: 'never',
    event: 'enterprise',
  },
  updateProperties,
)
