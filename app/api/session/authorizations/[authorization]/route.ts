import { authorizationTarget, revokeAuthorization } from '#lib/people/applications/authorizations.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const DELETE = writes(revokeAuthorization, {
  summary: 'Revoke the authorization of an OAuth application',
  who: { anyOf: 'user', ownAccount: 'always' },
  target: authorizationTarget,
  event: { entity: 'user', action: 'revoke-application', cannotUndo: 'tokens' },
})
