import { open } from '#lib/pipeline/open.server'
import { finishSignIn } from '#lib/saml/entrance.server'

export const GET = open(finishSignIn, {
  summary:
    'The end of a sign-in by SAML, for the browser that began it: leads to the console, or to the sign-in page that says what went wrong',
  answers: { status: 303 },
})
