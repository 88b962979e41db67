import { writes } from '#lib/http/endpoint.server'
import { disableOwnTwoFactor, requireSelfToDisable } from '#lib/identity/own-two-factor.server'

export const POST = writes(
  {
    anyOf: 'user',
    ids: { enterprise: 'EN-0', user: 'USER-0' },
    wildcard: 'enterprise',
    exists: requireSelfToDisable,
  },
  disableOwnTwoFactor,
)
