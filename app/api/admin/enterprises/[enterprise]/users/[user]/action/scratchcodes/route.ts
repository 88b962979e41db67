import { proveWithHeader, renewOwnScratchCodes, selfToDisable } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Exchange a verification code for ten new scratch codes; the previous ones are revoked',
    anyOf: 'user',
    target: selfToDisable,
    prepare: proveWithHeader,
    answers: 'twofactorauthcredentials',
    refuses: ['2FA-6', '2FA-7'],
    ownAccount: 'whenCaller',
    event: { entity: 'user', action: 'renew-scratch-codes' },
  },
  renewOwnScratchCodes,
)
