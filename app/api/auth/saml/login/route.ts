import { beginSignIn } from '#lib/people/saml/sign-in.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(beginSignIn, {
  summary:
    'Sign in to the console by SAML: redirects the browser to the identity provider; `returnTo` is a path of the console, `trial` only tests and shows the result',
  answers: { status: 303 },
})
