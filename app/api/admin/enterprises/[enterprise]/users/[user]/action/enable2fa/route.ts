import { twoFactorProviderInput } from '#lib/caller/auth/session.schema'
import { enableOwnTwoFactor, selfToEnable } from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(enableOwnTwoFactor, {
  summary: 'Enable two factor authentication for yourself',
  who: { anyOf: 'user', despiteDuty: 'anywhere', proof: 'always', ownAccount: 'whenCaller' },
  target: selfToEnable,
  takes: { as: 'twofactorauthprovider', body: twoFactorProviderInput },
  answers: { as: 'twofactorauthcredentials' },
  event: { entity: 'user', action: 'enable2fa', cannotUndo: 'two factor' },
  refuses: ['2FA-1', '2FA-2', '2FA-3', '2FA-4', '2FA-5'],
})
