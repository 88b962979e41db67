import { readTokens } from '#lib/oidc/tokens.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary:
      'The access and refresh token that the OpenID Connect provider gave with one’s sign-in to the console',
    anyOf: 'user',
    refuses: ['OIDC-2'],
    answers: 'providertokens',
  },
  readTokens,
)
