import { refreshTokens } from '#lib/people/oidc/refresh.server'
import { open } from '#lib/request/pipeline/open.server'

export const POST = open(refreshTokens, {
  summary:
    'Exchange a refresh token of the OpenID Connect provider: `refresh_token` in a form; the response follows RFC 6749 §5.1',
  answers: { as: 'application/json', status: 200 },
  refuses: [
    'OIDC-0',
    'OIDC-1',
    'GEN-3',
    '404-NOT-FOUND',
    '413-PAYLOAD-TOO-LARGE',
    '415-UNSUPPORTED-MEDIA-TYPE',
  ],
})
