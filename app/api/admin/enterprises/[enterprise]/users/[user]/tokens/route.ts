import { accessTokenInput, accessTokenQuery } from '#lib/people/access-tokens/access-tokens.schema'
import { createToken, listTokens, tokenOwner } from '#lib/people/access-tokens/access-tokens.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listTokens, {
  summary: 'List the access tokens of a user',
  who: { anyOf: ['USERS_MANAGE_USERS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: tokenOwner,
  query: accessTokenQuery,
  answers: { as: 'accesstokens' },
})

export const POST = writes(createToken, {
  summary: 'Make an access token for yourself or a service account; the response shows the token, once',
  who: { anyOf: ['USERS_MANAGE_USERS'], orOwn: 'user', proof: 'always', ownAccount: 'always' },
  target: tokenOwner,
  takes: { as: 'accesstoken', body: accessTokenInput },
  answers: { as: 'accesstoken' },
  event: { entity: 'accesstoken', cannotUndo: 'keys' },
  refuses: ['GEN-15', 'TOKEN-1', 'TOKEN-2'],
})
