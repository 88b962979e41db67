import { readProviderConfig } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readProviderConfig, {
  summary: 'Read what SCIM can do here',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
})
