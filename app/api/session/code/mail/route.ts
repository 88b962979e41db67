import { mailOwnCode } from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(mailOwnCode, {
  summary: 'Have a verification code mailed to you; Retry-After says when the next one may be sent',
  who: { anyOf: 'user', despiteDuty: 'inSession', ownAccount: 'always' },
  event: null,
  refuses: ['2FA-7', '2FA-10'],
})
