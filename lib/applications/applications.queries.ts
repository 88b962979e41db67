import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  ApplicationDocument,
  AuthorizationDocument,
  ConsentDocument,
  SignatureFailureDocument,
} from '#lib/applications/applications.schema'
import type { SessionDocument } from '#lib/auth/session.schema'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/http/view'

/** The user whose applications they are. */
export type Owner = Pick<SessionDocument, 'id' | 'enterprise'>

const pathOf = ({ id, enterprise }: Owner): string =>
  `/api/admin/enterprises/${enterprise.id}/users/${id}/applications`

/** The applications that the user has registered. */
export const applicationsQuery = (owner: Owner) => collectionQuery<ApplicationDocument>(pathOf(owner))

/** One of them, with its secret. */
export const applicationQuery = (owner: Owner, id: number) =>
  resourceQuery<ApplicationDocument>(`${pathOf(owner)}/${id}`)

/** Its requests of the last hour whose signature was wrong. */
export const signatureFailuresQuery = (owner: Owner, id: number) =>
  queryOptions({
    queryKey: [...pathKey(pathOf(owner)), String(id), 'signaturefailures'],
    queryFn: ({ signal }) =>
      api<Collection<SignatureFailureDocument>>(`${pathOf(owner)}/${id}/signaturefailures`, { signal }),
    // Its author tries again and looks again.
    staleTime: 0,
  })

const changed = (client: QueryClient, owner: Owner): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(pathOf(owner)) })

export type ApplicationDraft = { name: string; description: string; publicKey: string; privileges: number[] }

export const registerApplication = (owner: Owner) =>
  mutationOptions({
    mutationFn: ({ privileges, ...fields }: ApplicationDraft) =>
      api<ApplicationDocument>(pathOf(owner), {
        method: 'POST',
        body: {
          ...fields,
          links: privileges.map((id) => ({ rel: 'privilege', href: `/api/config/privileges/${id}` })),
        },
      }),
    onSuccess: (_made, _draft, _result, { client }) => changed(client, owner),
  })

export const rotateSecret = (owner: Owner, id: number) =>
  mutationOptions({
    mutationFn: () =>
      api<ApplicationDocument>(`${pathOf(owner)}/${id}/action/rotatesecret`, { method: 'POST' }),
    onSuccess: (_made, _none, _result, { client }) => changed(client, owner),
  })

export const removeApplication = (owner: Owner, id: number) =>
  mutationOptions({
    mutationFn: () => api<void>(`${pathOf(owner)}/${id}`, { method: 'DELETE' }),
    onSuccess: (_gone, _none, _result, { client }) =>
      client.invalidateQueries({ queryKey: applicationsQuery(owner).queryKey }),
  })

const authorizationsPath = '/api/session/authorizations'

/** The programs that may act in the user's name. */
export const authorizationsQuery = (query: Query) =>
  collectionQuery<AuthorizationDocument>(authorizationsPath, query)

export const revokeAuthorization = () =>
  mutationOptions({
    mutationFn: ({ id }: AuthorizationDocument) =>
      api<void>(`${authorizationsPath}/${id}`, { method: 'DELETE' }),
    onSettled: (_gone, _error, _authorization, _result, { client }) =>
      client.invalidateQueries({ queryKey: pathKey(authorizationsPath) }),
  })

/** What the application behind a request token asks. It is asked once: the token is over in ten minutes. */
export const consentQuery = (token: string) =>
  queryOptions({
    queryKey: ['consent', token],
    queryFn: ({ signal }) =>
      api<ConsentDocument>('/api/session/consent', { query: { oauth_token: token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The user's answer; gives where the browser goes with it. */
export const answerConsent = (token: string) =>
  mutationOptions({
    mutationFn: (approve: boolean) =>
      api<{ href: string }>('/api/session/consent', { method: 'POST', body: { oauthToken: token, approve } }),
  })
