import { takeAnswer } from '#lib/people/saml/sign-in.server'
import { MOST_BYTES_OF_FORM } from '#lib/people/saml/xml.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(takeAnswer, {
  summary:
    'SAML assertion consumer service: receives the response of the identity provider in a form and redirects to `finish`, or to the sign-in page with the reason of the failure',
  fromOtherSites: true,
  largestBody: MOST_BYTES_OF_FORM,
  answers: { status: 303 },
})
