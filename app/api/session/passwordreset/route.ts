import { passwordResetInput, passwordResetRequestInput } from '#lib/caller/auth/session.schema'
import { requestPasswordReset, resetPasswordByLink } from '#lib/request/entrance/password-resets.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(requestPasswordReset, {
  summary: 'Request a password reset link by mail; the response does not reveal whether the user exists',
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
