import { seeAs, viewers } from '#lib/people/identity/see-as.server'
import { userTarget } from '#lib/people/identity/users.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(seeAs, {
  summary: 'See the console as a user: the session shows what they see, and changes nothing, for an hour',
  who: { anyOf: viewers, inConsole: true, ownAccount: 'whenCaller' },
  target: userTarget,
  answers: { status: 204 },
  event: { entity: 'user', action: 'see-as', cannotUndo: 'views' },
  refuses: ['GEN-15', 'SEE-AS-3'],
})
