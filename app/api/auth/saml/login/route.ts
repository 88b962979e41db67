import { open } from '#lib/pipeline/open.server'
import { beginSignIn } from '#lib/saml/sign-in.server'

export const GET = open(beginSignIn, {
  summary:
    'Sign in to the console by SAML: leads a browser to the identity provider; `returnTo` is a path of the console, `trial` signs nobody in and shows what would come of it',
  answers: { status: 303 },
})
