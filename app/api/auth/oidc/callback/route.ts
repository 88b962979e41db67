import { finishSignIn } from '#lib/people/oidc/callback.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(finishSignIn, {
  summary:
    'Callback of the OpenID Connect provider: redirects to the console, or to the sign-in page with the reason of the failure',
  answers: { status: 303 },
})
