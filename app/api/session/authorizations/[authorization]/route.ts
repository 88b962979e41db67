import { revokeAuthorization } from '#lib/applications/authorizations.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const DELETE = writes(
  {
    summary: 'Revoke the authorization of an OAuth application',
    anyOf: 'user',
    target: { ids: { authorization: 'OAUTH-2' } },
    ownAccount: 'always',
    event: { entity: 'user', action: 'revoke-application' },
  },
  revokeAuthorization,
)
