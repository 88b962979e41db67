import { open } from '#lib/pipeline/open.server'
import { beginSignIn } from '#lib/saml/sign-in.server'

export const GET = open(beginSignIn, {
  summary:
    'Sign in to the console by SAML: redirects the browser to the identity provider; `returnTo` is a path of the console, `trial` only tests and shows the result',
  answers: { status: 303 },
})
