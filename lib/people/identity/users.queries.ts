import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import type { TwoFactorReset } from '#lib/caller/auth/session.schema'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { scopeHref } from '#lib/caller/scopes/scopes.queries'
import { api, apiWithTag } from '#lib/client/api'
import { keepSecret } from '#lib/client/new-secrets.queries'
import type { Once } from '#lib/client/once'
import {
  collectionQuery,
  deleteResource,
  ifMatch,
  isAtOrBelow,
  pathKey,
  pickerQuery,
  type Query,
  resourceQuery,
  saveResource,
  type Tagged,
  useChange,
} from '#lib/client/resources.queries'
import { tellTabs } from '#lib/client/tabs'
import { idOfLink, type LinkDocument, linkOf } from '#lib/ground/http/view'
import { enterprisePath } from '#lib/people/identity/enterprises.queries'
import type { UserCountDocument, UserDocument } from '#lib/people/identity/identity.schema'
import { rolePath } from '#lib/people/identity/roles.queries'
import { SERVICE, type UserFields } from '#lib/people/identity/users.schema'

/** The path of the users of one enterprise, or of all visible ones. */
export const usersPath = (enterprise: number | undefined): string =>
  `/api${collectionOf(kinds.user, { enterprise: enterprise ?? '_' })}`

export const userPath = (enterprise: number | undefined, user: number): string =>
  `${usersPath(enterprise)}/${user}`

/** Filters of the list: states, and the ids of the user's own scope and role. */
type UserFilters = Partial<
  Record<'active' | 'locked' | 'twofactor' | 'service' | 'idScope' | 'role', Query[string]>
>

/** One page of the users of one enterprise, or of all visible ones. */
export const usersQuery = (enterprise: number | undefined, query?: Query & UserFilters) =>
  collectionQuery<UserDocument>(usersPath(enterprise), query)

export const userPickerQuery = (enterprise: number, has: string) =>
  pickerQuery<UserDocument>(usersPath(enterprise), has, { by: 'nick' })

/** The numbers of visible users of roles or enterprises. */
export const userCountsQuery = (of: 'role' | 'enterprise', ids: readonly number[]) =>
  collectionQuery<UserCountDocument>(`${usersPath(undefined)}/action/counts`, { of, ids: ids.join() })

export const userQuery = (enterprise: number | undefined, user: number) =>
  resourceQuery<UserDocument>(userPath(enterprise, user))

export const enterpriseOfUser = (user: UserDocument): number | undefined =>
  idOfLink(linkOf(user, 'enterprise'))

const pathOf = (user: UserDocument): string => userPath(enterpriseOfUser(user), user.id)

/** The document has this link only while two factor is on. */
export const hasTwoFactor = (user: UserDocument): boolean => linkOf(user, 'disable2fa') !== undefined

/** Whether the user is a program, which acts by access tokens alone. */
export const isService = ({ authType }: Pick<UserDocument, 'authType'>): boolean => authType === SERVICE

/** Without a scope the enterprise's default applies. Without a password the current one stays. */
type SentUser = Omit<UserFields, 'allowedCIDRs'> & {
  allowedCIDRs: readonly string[]
  enterprise: number | undefined
  role: number | undefined
  scope: number | undefined
  /** SERVICE for a service account. */
  authType: string | undefined
  password: string | undefined
  /** A new user chooses how to sign in, by a link. */
  invite?: true | undefined
}

/** The body of POST and PUT. */
function userBody({ enterprise, role, scope, ...fields }: SentUser, current?: UserDocument) {
  const links: LinkDocument[] = [
    ...(enterprise === undefined ? [] : [{ rel: 'enterprise', href: enterprisePath(enterprise) }]),
    ...(role === undefined ? [] : [{ rel: 'role', href: rolePath(role) }]),
    ...(scope === undefined ? [] : [{ rel: 'scope', href: scopeHref(scope) }]),
  ]
  return { ...(current && { id: current.id }), ...fields, links }
}

type Save = { draft: SentUser; current?: Tagged<UserDocument> }

/** Creates a user, or replaces `current`, which can move the user to another enterprise. */
export const useSaveUser = () =>
  useChange(
    ({ draft, current }: Save, once) =>
      saveResource(
        usersPath(current ? enterpriseOfUser(current.document) : draft.enterprise),
        { body: userBody(draft, current?.document), current },
        once,
      ),
    (client, _, { id, invitation }) => {
      keepSecret(client, 'user', id, invitation)
      return userChanged(client, id)
    },
  )

/** A new link for a user who has not accepted: mailed, or in the answer. */
export const useInviteAgain = () =>
  useChange(
    ({ user, how }: { user: UserDocument; how: true | 'link' }) =>
      api<UserDocument>(`${pathOf(user)}/action/invite`, {
        method: 'POST',
        body: { invite: how },
        once: false,
      }),
    (client, { user }, { invitation }) => {
      keepSecret(client, 'user', user.id, invitation)
      return userChanged(client, user.id)
    },
  )

type SaveProfile = { draft: Partial<UserFields>; current: Tagged<UserDocument> }

/** Changes fields of a user, and keeps all others. */
export const useSaveProfile = () =>
  useChange(
    ({ draft, current }: SaveProfile, once) =>
      saveResource(
        usersPath(enterpriseOfUser(current.document)),
        { body: { ...current.document, ...draft }, current },
        once,
      ),
    (client, _, { id }) => userChanged(client, id),
  )

export const useRemoveUser = () =>
  useChange(
    (user: Tagged<UserDocument>) => deleteResource(usersPath(enterpriseOfUser(user.document)), user),
    (client, { document }) => userChanged(client, document.id, true),
  )

/** Turns two factor off for another user. `done` is false while a second approval is missing. */
export const useResetTwoFactor = () =>
  useChange(
    (user: UserDocument, once) =>
      api<TwoFactorReset>(`${pathOf(user)}/action/reset2fa`, { method: 'POST', once }),
    (client, { id }) => userChanged(client, id),
  )

/** From now on the session shows what the user sees. */
export async function seeAs(user: UserDocument, once: Once): Promise<void> {
  await api<void>(`${pathOf(user)}/action/seeas`, { method: 'POST', once })
  tellTabs({ type: 'session' })
}

export const stateChanges = {
  enable: { active: true },
  disable: { active: false },
  lock: { locked: true },
  unlock: { locked: false },
} as const

export type StateChange = keyof typeof stateChanges

/** Changes one state of the newest version of a user, and keeps everything else. */
export async function changeUserState(user: UserDocument, change: StateChange): Promise<UserDocument> {
  const { document, etag } = await apiWithTag<UserDocument>(pathOf(user), { meta: undefined })
  return api(pathOf(user), {
    method: 'PUT',
    body: { ...document, ...stateChanges[change] },
    headers: ifMatch(etag),
  })
}

/** Invalidates every list of users, and the tree, which counts the users of each scope. `gone`: a deleted user, not read again. */
export async function usersChanged(client: QueryClient, gone?: number): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey }) =>
      isAtOrBelow(queryKey, `/api${collectionOf(kinds.enterprise)}`) &&
      queryKey[4] === 'users' &&
      queryKey[5] !== String(gone),
  })
  await client.invalidateQueries({ queryKey: pathKey(`/api${collectionOf(kinds.scope)}/action/tree`) })
}

async function userChanged(client: QueryClient, user: number, isGone = false): Promise<void> {
  await usersChanged(client, isGone ? user : undefined)
  const { queryKey } = sessionQuery
  if (client.getQueryData(queryKey)?.id === user) await client.invalidateQueries({ queryKey })
}
