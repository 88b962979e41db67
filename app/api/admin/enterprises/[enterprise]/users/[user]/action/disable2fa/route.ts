import { disableOwnTwoFactor, proveWithHeader, selfToDisable } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Disable two factor authentication for oneself',
    anyOf: 'user',
    target: selfToDisable,
    prepare: proveWithHeader,
    refuses: ['2FA-6', '2FA-7'],
    ownAccount: 'whenCaller',
    event: { entity: 'user', action: 'disable2fa' },
  },
  disableOwnTwoFactor,
)
