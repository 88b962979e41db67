import { proveWithHeader, renewOwnScratchCodes, selfToDisable } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Get ten new scratch codes for a verification code; the earlier ones are good no more',
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
