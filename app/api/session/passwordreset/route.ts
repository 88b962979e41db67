import { passwordResetInput, passwordResetRequestInput } from '#lib/auth/session.schema'
import { requestPasswordReset, resetPasswordByLink } from '#lib/entrance/password-resets.server'
import { open } from '#lib/pipeline/open.server'

export const POST = open(requestPasswordReset, {
  summary: 'Have a link for a new password mailed; the answer does not tell whether there is such a user',
  takes: { as: 'passwordresetrequest', body: passwordResetRequestInput },
  answers: { status: 204 },
  refuses: ['SIGN-IN-8'],
})

export const PUT = open(resetPasswordByLink, {
  summary: 'Set a new password by the token of a mailed link, once',
  takes: { as: 'passwordreset', body: passwordResetInput },
  answers: { status: 204 },
  refuses: ['SIGN-IN-4'],
})
