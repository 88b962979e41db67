import { startSignIn } from '#lib/oidc/login.server'
import { open } from '#lib/pipeline/open.server'

export const GET = open(startSignIn, {
  summary:
    'Sign in to the console by OpenID Connect: leads a browser to the provider; `returnTo` is a path of the console, `prompt=login` asks there anew, `trial` signs nobody in and shows what would come of it',
  answers: { status: 303 },
})
