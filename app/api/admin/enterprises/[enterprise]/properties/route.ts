import { propertiesTarget, updateProperties } from '#lib/people/identity/enterprise-properties.server'
import { enterprisePropertiesInput } from '#lib/people/identity/identity.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read the properties of an enterprise',
  who: { anyOf: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'], orOwn: 'enterprise' },
  target: propertiesTarget,
  answers: { as: 'enterpriseproperties' },
})

export const PUT = writes(updateProperties, {
  summary: 'Replace the properties of an enterprise',
  who: { anyOf: ['USERS_MANAGE_ENTERPRISE'], ownAccount: 'never' },
  target: propertiesTarget,
  takes: { as: 'enterpriseproperties', body: enterprisePropertiesInput },
  answers: { as: 'enterpriseproperties' },
  event: 'enterprise',
})
