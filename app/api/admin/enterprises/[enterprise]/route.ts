import { reads } from '#lib/http/endpoint.server'
import { readEnterprise } from '#lib/identity/enterprises.server'

export const GET = reads(
  { summary: 'Read an enterprise', anyOf: 'user', ids: { enterprise: 'EN-0' }, answers: 'enterprise' },
  readEnterprise,
)
