import { readTokens } from '#lib/people/oidc/tokens.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readTokens, {
  summary: 'Read the access and refresh token of your OpenID Connect sign-in to the console',
  who: { anyOf: 'user', ownAccount: 'always' },
  answers: { as: 'providertokens' },
  refuses: ['OIDC-2'],
})
