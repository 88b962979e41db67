import { serveLogout } from '#lib/people/saml/logout.server'
import { MOST_BYTES_OF_FORM } from '#lib/people/saml/xml.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(serveLogout, {
  summary:
    'SAML single logout: signs out of the console and at the identity provider, and receives the logout messages of the provider',
  fromOtherSites: true,
  largestBody: MOST_BYTES_OF_FORM,
  answers: { status: 303 },
})

export const POST = GET
