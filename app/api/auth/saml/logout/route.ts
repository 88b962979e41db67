import { open } from '#lib/http/open.server'
import { serveLogout } from '#lib/saml/logout.server'

const spec = {
  summary:
    'SAML single logout: signs out of the console and at the identity provider, and takes the messages of that',
  status: 303,
} as const

export const GET = open(spec, serveLogout)
export const POST = open(spec, serveLogout)
