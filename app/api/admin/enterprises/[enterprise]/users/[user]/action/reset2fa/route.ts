import { resetTwoFactorOf } from '#lib/people/identity/two-factor-resets.server'
import { changeableUserTarget } from '#lib/people/identity/user-changes.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(resetTwoFactorOf, {
  summary:
    'Turn off two factor authentication for another user and end their sessions. If two approvals are required, the second one does this',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'whenCaller' },
  target: changeableUserTarget,
  answers: { as: 'twofactorreset', status: 200 },
  event: { entity: 'user', action: 'reset2fa', cannotUndo: 'two factor' },
  refuses: ['GEN-15', '2FA-7', '2FA-12'],
})
