import { open } from '#lib/http/open.server'
import { takeAnswer } from '#lib/saml/sign-in.server'

export const POST = open(
  {
    summary:
      'SAML assertion consumer service: takes the answer of the identity provider in a form, and leads on to `finish`, or to the sign-in page that says what went wrong',
    status: 303,
  },
  takeAnswer,
)
