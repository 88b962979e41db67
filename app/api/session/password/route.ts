import { passwordChangeInput } from '#lib/auth/session.schema'
import { changeOwnPassword } from '#lib/identity/own-password.server'
import { prepareOwnPassword } from '#lib/identity/user-passwords.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const PUT = writes(
  {
    summary: 'Change your own password with the old one; all other sessions end',
    anyOf: 'user',
    despiteDuty: 'inConsole',
    takes: 'passwordchange',
    body: passwordChangeInput,
    prepare: prepareOwnPassword,
    refuses: ['SIGN-IN-3'],
    ownAccount: 'always',
    event: { entity: 'user', action: 'change-password' },
  },
  changeOwnPassword,
)
