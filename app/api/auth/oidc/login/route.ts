import { startSignIn } from '#lib/people/oidc/login.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(startSignIn, {
  summary:
    'Sign in to the console by OpenID Connect: redirects the browser to the provider; `returnTo` is a path of the console, `prompt=login` forces a new sign-in there, `trial` only tests and shows the result',
  answers: { status: 303 },
})
