import { accessToken } from '#lib/entrance/oauth.server'
import { open } from '#lib/pipeline/open.server'

const spec = {
  summary: 'OAuth 1.0a: exchange an authorized request token, by a signed request (RFC 5849 §2.3)',
  refuses: ['OAUTH-0', '401-UNAUTHORIZED'],
  answers: 'application/x-www-form-urlencoded',
} as const

export const GET = open(spec, accessToken)
export const POST = open({ ...spec, status: 200 }, accessToken)
