import { invitationAnswerInput, invitationTokenInput } from '#lib/caller/auth/session.schema'
import { acceptInvitation, readInvitation } from '#lib/request/entrance/invitations.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(readInvitation, {
  summary: 'Read an invitation by the token of its link',
  takes: { as: 'invitationtoken', body: invitationTokenInput },
  answers: { as: 'invitation', status: 200 },
  refuses: ['SIGN-IN-10', 'USER-28'],
})

export const PUT = open(acceptInvitation, {
  summary: 'Accept an invitation, once, with a password or a passkey, and sign in to the console',
  takes: { as: 'invitationanswer', body: invitationAnswerInput },
  answers: { as: 'session', status: 200 },
  refuses: ['SIGN-IN-10', 'USER-28', 'PASSKEY-2', 'PASSKEY-3', 'PASSKEY-4'],
})
