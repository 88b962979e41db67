import { applicationTarget, rotateSecret } from '#lib/people/applications/applications.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(rotateSecret, {
  summary: 'Renew the secret of your own OAuth application; the old secret stops working',
  who: { anyOf: ['USERS_MANAGE_APPLICATIONS'], orOwn: 'user', proof: 'always', ownAccount: 'whenCaller' },
  target: applicationTarget,
  answers: { as: 'application', status: 200 },
  event: { entity: 'application', action: 'rotate-secret', cannotUndo: 'keys' },
  refuses: ['GEN-15'],
})
