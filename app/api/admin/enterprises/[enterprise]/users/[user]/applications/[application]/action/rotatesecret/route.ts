import { applicationTarget, rotateSecret } from '#lib/applications/applications.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Renew the secret of your own OAuth application; the old secret stops working',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    target: applicationTarget,
    proof: 'always',
    answers: 'application',
    status: 200,
    refuses: ['GEN-15'],
    ownAccount: 'whenCaller',
    event: { entity: 'application', action: 'rotate-secret' },
  },
  rotateSecret,
)
