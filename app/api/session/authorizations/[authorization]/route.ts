import { revokeAuthorization } from '#lib/applications/authorizations.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const DELETE = writes(revokeAuthorization, {
  summary: 'Revoke the authorization of an OAuth application',
  who: { anyOf: 'user', ownAccount: 'always' },
  target: { ids: { authorization: 'OAUTH-2' } },
  event: { entity: 'user', action: 'revoke-application' },
})
