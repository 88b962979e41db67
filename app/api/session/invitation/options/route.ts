import { invitationTokenInput } from '#lib/caller/auth/session.schema'
import { invitationPasskeyOptions } from '#lib/request/entrance/invitations.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(invitationPasskeyOptions, {
  summary: 'Get the options with which your browser makes a passkey for an invitation',
  takes: { as: 'invitationtoken', body: invitationTokenInput },
  answers: { as: 'passkeycreation', status: 200 },
  refuses: ['SIGN-IN-10', 'USER-28', 'PASSKEY-4'],
})
