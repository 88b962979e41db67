import { readTokens } from '#lib/oidc/tokens.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readTokens, {
  summary:
    'The access and refresh token that the OpenID Connect provider gave with one’s sign-in to the console',
  who: { anyOf: 'user' },
  answers: { as: 'providertokens' },
  refuses: ['OIDC-2'],
})
