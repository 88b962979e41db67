import { open } from '#lib/http/open.server'
import { finishSignIn } from '#lib/saml/sign-in.server'

export const POST = open(
  {
    summary:
      'SAML assertion consumer service: takes the answer of the identity provider in a form, and leads to the console, or to the sign-in page that says what went wrong',
    status: 303,
  },
  finishSignIn,
)
