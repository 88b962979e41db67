import { applicationTarget, rotateSecret } from '#lib/applications/applications.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Give an OAuth application of one’s own a new secret; the old one signs nothing any more',
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
