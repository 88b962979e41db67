import { finishSignIn } from '#lib/oidc/callback.server'
import { open } from '#lib/pipeline/open.server'

export const GET = open(finishSignIn, {
  summary:
    'The way back from the OpenID Connect provider: leads to the console, or to the sign-in page that says what went wrong',
  answers: { status: 303 },
})
