import { finishSignIn } from '#lib/people/saml/entrance.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(finishSignIn, {
  summary:
    'Finish a SAML sign-in in the browser that began it: redirects to the console, or to the sign-in page with the reason of the failure',
  answers: { status: 303 },
})
