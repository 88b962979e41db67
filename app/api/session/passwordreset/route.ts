import { passwordResetInput, passwordResetRequestInput } from '#lib/auth/session.schema'
import { requestPasswordReset, resetPasswordByLink } from '#lib/entrance/password-resets.server'
import { open } from '#lib/pipeline/open.server'

export const POST = open(
  {
    summary: 'Have a link for a new password mailed; the answer does not tell whether there is such a user',
    takes: 'passwordresetrequest',
    body: passwordResetRequestInput,
    refuses: ['SIGN-IN-8'],
    status: 204,
  },
  requestPasswordReset,
)

export const PUT = open(
  {
    summary: 'Set a new password by the token of a mailed link, once',
    takes: 'passwordreset',
    body: passwordResetInput,
    refuses: ['SIGN-IN-4'],
    status: 204,
  },
  resetPasswordByLink,
)
