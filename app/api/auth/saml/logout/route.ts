import { open } from '#lib/pipeline/open.server'
import { serveLogout } from '#lib/saml/logout.server'
import { MOST_BYTES_OF_FORM } from '#lib/saml/xml.server'

export const GET = open(serveLogout, {
  summary:
    'SAML single logout: signs out of the console and at the identity provider, and receives the logout messages of the provider',
  fromOtherSites: true,
  largestBody: MOST_BYTES_OF_FORM,
  answers: { status: 303 },
})

export const POST = GET
