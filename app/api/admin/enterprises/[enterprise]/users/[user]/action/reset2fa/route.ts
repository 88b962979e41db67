import { otherUserTarget, resetTwoFactorOf } from '#lib/identity/two-factor-resets.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(resetTwoFactorOf, {
  summary:
    'Turn the two factor authentication of another user off and end their sessions; where two approvals are needed, with the second administrator',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'whenCaller' },
  target: otherUserTarget,
  answers: { as: 'twofactorreset', status: 200 },
  event: { entity: 'user', action: 'reset2fa' },
  refuses: ['GEN-15', '2FA-7', '2FA-12'],
})
