import { inviteAgain } from '#lib/people/identity/invitations.server'
import { changeableUserTarget } from '#lib/people/identity/user-changes.server'
import { invitationInput } from '#lib/people/identity/users.schema'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(inviteAgain, {
  summary: 'Invite a user again who has not accepted: a new link, and the earlier one ends',
  who: { anyOf: ['USERS_MANAGE_USERS'], ownAccount: 'whenCaller' },
  target: changeableUserTarget,
  takes: { as: 'userinvitation', body: invitationInput, optional: true },
  answers: { as: 'user', status: 200 },
  event: { entity: 'user', action: 'invite', cannotUndo: 'passwords' },
  refuses: ['GEN-15', 'USER-26', 'USER-27', 'USER-28'],
})
