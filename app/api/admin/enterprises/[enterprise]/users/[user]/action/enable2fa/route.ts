import { twoFactorProviderInput } from '#lib/auth/session.schema'
import { writes } from '#lib/http/endpoint.server'
import { enableOwnTwoFactor, requireSelfToEnable } from '#lib/identity/own-two-factor.server'

export const POST = writes(
  {
    anyOf: 'user',
    ids: { enterprise: 'EN-0', user: 'USER-0' },
    wildcard: 'enterprise',
    exists: requireSelfToEnable,
    takes: 'twofactorauthprovider',
    body: twoFactorProviderInput,
    answers: 'twofactorauthcredentials',
  },
  enableOwnTwoFactor,
)
