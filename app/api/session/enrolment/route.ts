import { takeBackEnrolment } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const DELETE = writes(
  {
    summary: 'Take two factor authentication back before a code was proved, by the session that enabled it',
    anyOf: 'user',
    despiteDuty: 'inSession',
    refuses: ['2FA-7', '2FA-11'],
    ownAccount: 'always',
    event: { entity: 'user', action: 'take-back-2fa' },
  },
  takeBackEnrolment,
)
