import { passwordChangeInput } from '#lib/auth/session.schema'
import { changeOwnPassword } from '#lib/identity/own-password.server'
import { prepareOwnPassword } from '#lib/identity/user-passwords.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const PUT = writes(changeOwnPassword, {
  summary: 'Change your own password with the old one; all other sessions end',
  who: { anyOf: 'user', despiteDuty: 'inConsole', ownAccount: 'always' },
  takes: { as: 'passwordchange', body: passwordChangeInput },
  prepare: prepareOwnPassword,
  event: { entity: 'user', action: 'change-password', cannotUndo: 'passwords' },
  refuses: ['SIGN-IN-3'],
})
