import { authorize } from '#lib/entrance/oauth.server'
import { open } from '#lib/pipeline/open.server'

const spec = {
  summary:
    'OAuth 1.0a: authorize a request token: with credentials at once, in a browser on the consent page (RFC 5849 §2.2)',
  refuses: ['OAUTH-0', 'OAUTH-1', 'GEN-15', '401-UNAUTHORIZED', '403-FORBIDDEN', '429-TOO-MANY-REQUESTS'],
  status: 302,
} as const

export const GET = open(spec, authorize)
export const POST = open(spec, authorize)
