import {
  proveWithHeader,
  renewOwnScratchCodes,
  selfToDisable,
} from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(renewOwnScratchCodes, {
  summary: 'Exchange a verification code for ten new scratch codes; the previous ones are revoked',
  who: { anyOf: 'user', ownAccount: 'whenCaller' },
  target: selfToDisable,
  prepare: proveWithHeader,
  answers: { as: 'twofactorauthcredentials' },
  event: { entity: 'user', action: 'renew-scratch-codes', cannotUndo: 'two factor' },
  refuses: ['2FA-6', '2FA-7'],
})
