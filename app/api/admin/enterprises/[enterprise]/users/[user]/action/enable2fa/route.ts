import { twoFactorProviderInput } from '#lib/auth/session.schema'
import { enableOwnTwoFactor, selfToEnable } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Enable two factor authentication for oneself',
    anyOf: 'user',
    despiteDuty: 'anywhere',
    target: selfToEnable,
    proof: 'always',
    takes: 'twofactorauthprovider',
    body: twoFactorProviderInput,
    answers: 'twofactorauthcredentials',
    refuses: ['2FA-1', '2FA-2', '2FA-3', '2FA-4', '2FA-5'],
    ownAccount: 'whenCaller',
    event: { entity: 'user', action: 'enable2fa' },
  },
  enableOwnTwoFactor,
)
