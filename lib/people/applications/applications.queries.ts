import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { api } from '#lib/client/api'
import { keepSecret } from '#lib/client/new-secrets.queries'
import type { Once } from '#lib/client/once'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/ground/http/view'
import type {
  ApplicationDocument,
  ApplicationInput,
  AuthorizationDocument,
  ConsentDocument,
  SignatureFailureDocument,
} from '#lib/people/applications/applications.schema'
import { privilegeLinks } from '#lib/people/identity/roles.queries'

export type Owner = Pick<SessionDocument, 'id' | 'enterprise'>

const pathOf = ({ id, enterprise }: Owner): string =>
  `/api${collectionOf(kinds.application, { enterprise: enterprise.id, user: id })}`

export const applicationsQuery = (owner: Owner) => collectionQuery<ApplicationDocument>(pathOf(owner))

/** One application. The API adds the secret for its owner, but the console shows a secret only when it is new. */
export const applicationQuery = (owner: Owner, id: number) =>
  resourceQuery<ApplicationDocument>(`${pathOf(owner)}/${id}`)

/** The application's requests with a wrong signature in the last hour. */
export const signatureFailuresQuery = (owner: Owner, id: number) =>
  queryOptions({
    queryKey: [...pathKey(pathOf(owner)), String(id), 'signaturefailures'],
    queryFn: ({ signal, meta }) =>
      api<Collection<SignatureFailureDocument>>(`${pathOf(owner)}/${id}/signaturefailures`, { signal, meta }),
    // Developers retry and then check the list again.
    staleTime: 0,
  })

const changed = (client: QueryClient, owner: Owner): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(pathOf(owner)) })

/** Without privileges, the application gets all privileges of the user. */
type SentApplication = Omit<ApplicationInput, 'links'> & { privilege: readonly Privilege[] }

export const registerApplication = (owner: Owner, once: Once) =>
  mutationOptions({
    mutationFn: ({ privilege, ...fields }: SentApplication) =>
      api<ApplicationDocument>(pathOf(owner), {
        method: 'POST',
        once,
        body: { ...fields, links: privilegeLinks(privilege) },
      }),
    onSuccess: (made, _draft, _result, { client }) => {
      keepSecret(client, 'application', made.id, made.apiSecret)
      return changed(client, owner)
    },
  })

export const rotateSecret = (owner: Owner, id: number) =>
  mutationOptions({
    mutationFn: () =>
      api<ApplicationDocument>(`${pathOf(owner)}/${id}/action/rotatesecret`, { method: 'POST', once: false }),
    onSuccess: (made, _none, _result, { client }) => {
      keepSecret(client, 'application', made.id, made.apiSecret)
      return changed(client, owner)
    },
  })

export const removeApplication = (owner: Owner, id: number) =>
  mutationOptions({
    mutationFn: () => api<void>(`${pathOf(owner)}/${id}`, { method: 'DELETE' }),
    onSuccess: (_gone, _none, _result, { client }) =>
      client.invalidateQueries({ queryKey: applicationsQuery(owner).queryKey }),
  })

const authorizationsPath = '/api/session/authorizations'

export const authorizationsQuery = (query: Query) =>
  collectionQuery<AuthorizationDocument>(authorizationsPath, query)

export const revokeAuthorization = () =>
  mutationOptions({
    mutationFn: ({ id }: AuthorizationDocument) =>
      api<void>(`${authorizationsPath}/${id}`, { method: 'DELETE' }),
    onSettled: (_gone, _error, _authorization, _result, { client }) =>
      client.invalidateQueries({ queryKey: pathKey(authorizationsPath) }),
  })

/** The consent request of an application. Loaded once, because the token expires in ten minutes. */
export const consentQuery = (token: string) =>
  queryOptions({
    queryKey: ['consent', token],
    queryFn: ({ signal, meta }) =>
      api<ConsentDocument>('/api/session/consent', { query: { oauth_token: token }, signal, meta }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Sends the user's decision. The response has the address for the redirect. */
export const answerConsent = (token: string) =>
  mutationOptions({
    mutationFn: (approve: boolean) =>
      api<{ href: string }>('/api/session/consent', {
        method: 'POST',
        body: { oauthToken: token, approve },
        once: false,
      }),
  })
