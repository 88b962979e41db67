import { otherUserTarget, resetTwoFactorOf } from '#lib/identity/two-factor-resets.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary:
      'Turn the two factor authentication of another user off and end their sessions; where two approvals are needed, with the second administrator',
    anyOf: ['USERS_MANAGE_USERS'],
    target: otherUserTarget,
    answers: 'twofactorreset',
    status: 200,
    refuses: ['GEN-15', '2FA-7', '2FA-12'],
    ownAccount: 'whenCaller',
    event: { entity: 'user', action: 'reset2fa' },
  },
  resetTwoFactorOf,
)
