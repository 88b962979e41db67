import { passwordChangeInput } from '#lib/caller/auth/session.schema'
import { changeOwnPassword } from '#lib/people/identity/own-password.server'
import { prepareOwnPassword } from '#lib/people/identity/user-passwords.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const PUT = writes(changeOwnPassword, {
  summary: 'Change your own password with the old one; all other sessions end',
  who: { anyOf: 'user', despiteDuty: 'inConsole', ownAccount: 'always' },
  takes: { as: 'passwordchange', body: passwordChangeInput },
  prepare: prepareOwnPassword,
  event: { entity: 'user', action: 'change-password', cannotUndo: 'passwords' },
  refuses: ['SIGN-IN-3'],
})
