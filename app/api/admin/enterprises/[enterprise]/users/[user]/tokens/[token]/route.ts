import { removeToken, tokenTarget } from '#lib/people/access-tokens/access-tokens.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read an access token, without the token itself',
  who: { anyOf: ['USERS_MANAGE_USERS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: tokenTarget,
  answers: { as: 'accesstoken' },
})

export const DELETE = writes(removeToken, {
  summary: 'Revoke an access token',
  who: { anyOf: ['USERS_MANAGE_USERS'], orOwn: 'user', proof: 'always', ownAccount: 'whenCaller' },
  target: tokenTarget,
  event: { entity: 'accesstoken', cannotUndo: 'keys' },
  refuses: ['GEN-15'],
})
