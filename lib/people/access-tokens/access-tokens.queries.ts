import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { keepSecret } from '#lib/client/new-secrets.queries'
import type { Once } from '#lib/client/once'
import { collectionQuery, invalidateBelow, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { AccessTokenDocument, AccessTokenInput } from '#lib/people/access-tokens/access-tokens.schema'
import { userPath } from '#lib/people/identity/users.queries'

/** Whose tokens they are. */
export type TokenOwner = { id: number; enterprise: number }

export const tokensPath = ({ id, enterprise }: TokenOwner): string => `${userPath(enterprise, id)}/tokens`

const tokenPath = (owner: TokenOwner, id: number): string => `${tokensPath(owner)}/${id}`

export const tokensQuery = (owner: TokenOwner, query?: Query) =>
  collectionQuery<AccessTokenDocument>(tokensPath(owner), query)

export const tokenQuery = (owner: TokenOwner, id: number) =>
  resourceQuery<AccessTokenDocument>(tokenPath(owner, id))

const changed = (client: QueryClient, owner: TokenOwner, gone?: string): Promise<void> =>
  invalidateBelow(client, [tokensPath(owner)], gone)

type NewToken = Pick<AccessTokenInput, 'name' | 'privileges' | 'expires' | 'allowedCIDRs'>

/** The next screen shows the token, once. */
export const makeToken = (owner: TokenOwner, once: Once) =>
  mutationOptions({
    mutationFn: (body: NewToken) =>
      api<AccessTokenDocument>(tokensPath(owner), { method: 'POST', body, once }),
    onSuccess: (made, _sent, _result, { client }) => {
      keepSecret(client, 'accesstoken', made.id, made.token)
      return changed(client, owner)
    },
  })

export const revokeToken = (owner: TokenOwner) =>
  mutationOptions({
    mutationFn: ({ id }: Pick<AccessTokenDocument, 'id'>) =>
      api<void>(tokenPath(owner, id), { method: 'DELETE' }),
    onSuccess: (_gone, { id }, _result, { client }) => changed(client, owner, tokenPath(owner, id)),
  })
