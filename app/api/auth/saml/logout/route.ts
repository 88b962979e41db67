import { open } from '#lib/pipeline/open.server'
import { serveLogout } from '#lib/saml/logout.server'
import { MOST_BYTES_OF_FORM } from '#lib/saml/xml.server'

const spec = {
  summary:
    'SAML single logout: signs out of the console and at the identity provider, and takes the messages of that',
  status: 303,
  largestBody: MOST_BYTES_OF_FORM,
} as const

export const GET = open(spec, serveLogout)
export const POST = open(spec, serveLogout)
