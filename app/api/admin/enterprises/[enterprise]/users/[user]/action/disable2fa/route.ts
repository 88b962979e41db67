import {
  disableOwnTwoFactor,
  proveWithHeader,
  selfToDisable,
} from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(disableOwnTwoFactor, {
  summary: 'Disable two factor authentication for yourself',
  who: { anyOf: 'user', ownAccount: 'whenCaller' },
  target: selfToDisable,
  prepare: proveWithHeader,
  event: { entity: 'user', action: 'disable2fa', cannotUndo: 'two factor' },
  refuses: ['2FA-6', '2FA-7'],
})
