import { takeBackEnrolment } from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const DELETE = writes(takeBackEnrolment, {
  summary:
    'Undo enabling two factor authentication before a code is verified, in the session that enabled it',
  who: { anyOf: 'user', despiteDuty: 'inSession', ownAccount: 'always' },
  event: { entity: 'user', action: 'take-back-2fa', cannotUndo: 'two factor' },
  refuses: ['2FA-7', '2FA-11'],
})
