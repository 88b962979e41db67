import { twoFactorResetRequestInput } from '#lib/caller/auth/session.schema'
import { askForTwoFactorReset } from '#lib/request/entrance/two-factor-help.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(askForTwoFactorReset, {
  summary: 'Ask administrators by mail to reset the two factor authentication of the user with this password',
  takes: { as: 'twofactorresetrequest', body: twoFactorResetRequestInput },
  answers: { status: 204 },
  refuses: ['SIGN-IN-0', 'SIGN-IN-8'],
})
